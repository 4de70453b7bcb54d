import {
  type AuditEntry,
  type ClientSelection,
  clients as contract,
  type Flag,
  t,
} from '@switchroom/contract'
import { definedFields } from '../../db/defined-fields.ts'
import { changeMany, deleteAll, type ManyActor } from '../../selections/change-many.ts'
import type { Selectable } from '../../selections/chosen.ts'
import * as clients from './queries.ts'

export const selectable: Selectable<'client_sids', clients.Filters, clients.Compared> = {
  kind: 'client',
  what: t('SIP clients'),
  sids: 'client_sids',
  sidOf: (c) => c.client_sid,
  nameOf: (c) => c.username,
  findAll: clients.findAll,
  matching: clients.sidsMatching,
}

const FLAGS = [
  'is_active',
  'allow_direct_app_calling',
  'allow_direct_queue_calling',
  'allow_direct_user_calling',
] as const

const Former = contract.update.body.pick({
  is_active: true,
  allow_direct_app_calling: true,
  allow_direct_queue_calling: true,
  allow_direct_user_calling: true,
})

/** Sets switches of clients, of all of them or none. Resolves to how many this has changed. */
export async function updateMany(
  actor: ManyActor,
  select: ClientSelection,
  wanted: { [flag in (typeof FLAGS)[number]]?: Flag | undefined },
) {
  const change = definedFields(wanted)
  const changes = await changeMany(actor, selectable, select, {
    plan: async (_, chosen) =>
      chosen
        .map((before) => ({ before, after: { ...before, ...change } }))
        .filter(({ before, after }) => FLAGS.some((flag) => before[flag] !== after[flag])),
    store: (tx, batch) => {
      const sids = batch.map(({ before }) => before.client_sid)
      return clients.updateAll(tx, actor.scope, sids, change)
    },
  })
  return { changed: changes.length }
}

/** Gives each client the switches back that a change took from it, all of them or none. */
export const undoMany = (actor: ManyActor, entries: AuditEntry[]) => {
  const former = new Map(entries.map((e) => [e.sid, Former.parse(e.before)]))
  return changeMany(
    actor,
    selectable,
    { client_sids: [...former.keys()] },
    {
      plan: async (_, chosen) =>
        chosen.map((before) => ({
          before,
          after: { ...before, ...former.get(before.client_sid) },
        })),
      store: async (tx, batch) => {
        const alike = Map.groupBy(batch, ({ before }) =>
          JSON.stringify(former.get(before.client_sid)),
        )
        for (const group of alike.values()) {
          const sids = group.map(({ before }) => before.client_sid)
          await clients.updateAll(tx, actor.scope, sids, former.get(sids[0]!)!)
        }
      },
    },
  )
}

/** Deletes clients, all of them or none. Resolves to how many. */
export async function removeMany(actor: ManyActor, select: ClientSelection) {
  const changes = await changeMany(actor, selectable, select, {
    plan: deleteAll,
    store: (tx, batch) => {
      const sids = batch.map(({ before }) => before.client_sid)
      return clients.removeAll(tx, actor.scope, sids)
    },
  })
  return { deleted: changes.length }
}
