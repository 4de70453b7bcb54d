import { randomUUID } from 'node:crypto'
import { type api, DEFAULT_CARRIER_REQUIRED, t } from '@switchroom/contract'
import { refuseUnknownFields } from '../../audit/unknown-fields.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import { conflict, Failure, found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as tables from './queries.ts'
import { changingPart, checkCarriers, type Owner, ownerOf } from './tables.ts'

const unknownRoute = () => invalidField('lcr_route_sid', t('unknown lcr_route_sid'))
const notFound = () => new Failure('not_found', t('No such carrier set entry'))

const checkCarrier = async (db: Db, scope: Scope, table: Owner, sid: string) =>
  checkCarriers(db, scope, await ownerOf(db, scope, table), [{ path: ['voip_carrier_sid'], sid }])

export const lcrCarrierSetEntryRoutes: Handlers<typeof api.lcrCarrierSetEntries> = {
  async list({ query: { lcr_route_sid }, scope, ctx }) {
    const lcr_sid = await tables.tableOfRoute(ctx.db, scope, lcr_route_sid)
    if (!lcr_sid) throw unknownRoute()
    const routes = await tables.routes(ctx.db, lcr_sid)
    return routes.find((r) => r.lcr_route_sid === lcr_route_sid)?.lcr_carrier_set_entries ?? []
  },

  async view({ params: { lcr_carrier_set_entry_sid: sid }, scope, ctx }) {
    const lcr_sid = found(await tables.tableOfEntry(ctx.db, scope, sid), t('carrier set entry'))
    const entries = (await tables.routes(ctx.db, lcr_sid)).flatMap((r) => r.lcr_carrier_set_entries)
    return found(
      entries.find((e) => e.lcr_carrier_set_entry_sid === sid),
      t('carrier set entry'),
    )
  },

  async create({ body, ...actor }) {
    const sid = randomUUID()
    const own = await tables.tableOfRoute(actor.ctx.db, actor.scope, body.lcr_route_sid)
    await changingPart(actor, own, unknownRoute, async (tx, table) => {
      await checkCarrier(tx, actor.scope, table, body.voip_carrier_sid)
      await tables.insertEntry(tx, {
        ...definedFields(body),
        lcr_carrier_set_entry_sid: sid,
        lcr_route_sid: body.lcr_route_sid,
        voip_carrier_sid: body.voip_carrier_sid,
      })
      await actor.meta.remember?.(tx, { sid })
    })
    return { sid }
  },

  async update({ params: { lcr_carrier_set_entry_sid: sid }, body, ...actor }) {
    const own = await tables.tableOfEntry(actor.ctx.db, actor.scope, sid)
    await changingPart(actor, own, notFound, async (tx, table) => {
      const columns = definedFields(body)
      const { lcr_route_sid, voip_carrier_sid } = body
      const routes = await tables.routes(tx, table.lcr_sid)
      if (lcr_route_sid && !routes.some((r) => r.lcr_route_sid === lcr_route_sid))
        throw unknownRoute()
      const entry = routes
        .flatMap((r) => r.lcr_carrier_set_entries)
        .find((e) => e.lcr_carrier_set_entry_sid === sid)
      if (entry) refuseUnknownFields('lcr', actor.meta.unknown_fields ?? {}, entry, entry)
      if (voip_carrier_sid && voip_carrier_sid !== entry?.voip_carrier_sid)
        await checkCarrier(tx, actor.scope, table, voip_carrier_sid)
      if (!isEmpty(columns)) await tables.updateEntry(tx, actor.scope, sid, columns)
    })
  },

  async remove({ params: { lcr_carrier_set_entry_sid: sid }, ...actor }) {
    const own = await tables.tableOfEntry(actor.ctx.db, actor.scope, sid)
    await changingPart(actor, own, notFound, async (tx, table) => {
      if (table.default_carrier_set_entry_sid === sid)
        throw conflict('lcr_carrier_set_entry_sid', DEFAULT_CARRIER_REQUIRED)
      await tables.removeEntry(tx, actor.scope, sid)
    })
  },
}
