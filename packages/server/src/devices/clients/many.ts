import type { ClientSelection, Flag } from '@switchroom/contract'
import { definedFields } from '../../db/defined-fields.ts'
import { changeMany, deleteAll, type ManyActor } from '../../selections/change-many.ts'
import type { Selectable } from '../../selections/chosen.ts'
import * as clients from './queries.ts'

export const selectable: Selectable<'client_sids', clients.Filters, clients.Compared> = {
  kind: 'client',
  what: 'SIP clients',
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
