import { randomUUID } from 'node:crypto'
import { type api, DEFAULT_CARRIER_REQUIRED } from '@switchroom/contract'
import { refuseUntaken } from '../changes/untaken.ts'
import { given, isEmpty } from '../db/given.ts'
import type { Db } from '../db/open.ts'
import { conflict, Failure, found, invalidField } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import * as tables from '../lcrs/queries.ts'
import { changingPart, checkCarriers, type Owner, ownerOf } from '../lcrs/tables.ts'

const unknownRoute = () => invalidField('lcr_route_sid', 'unknown lcr_route_sid')
const absent = () => new Failure('not_found', 'No such carrier set entry')

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
    const lcr_sid = found(await tables.tableOfEntry(ctx.db, scope, sid), 'carrier set entry')
    const entries = (await tables.routes(ctx.db, lcr_sid)).flatMap((r) => r.lcr_carrier_set_entries)
    return found(
      entries.find((e) => e.lcr_carrier_set_entry_sid === sid),
      'carrier set entry',
    )
  },

  async create({ body, ...who }) {
    const sid = randomUUID()
    const own = await tables.tableOfRoute(who.ctx.db, who.scope, body.lcr_route_sid)
    await changingPart(who, own, unknownRoute, async (tx, table) => {
      await checkCarrier(tx, who.scope, table, body.voip_carrier_sid)
      await tables.insertEntry(tx, {
        ...given(body),
        lcr_carrier_set_entry_sid: sid,
        lcr_route_sid: body.lcr_route_sid,
        voip_carrier_sid: body.voip_carrier_sid,
      })
    })
    return { sid }
  },

  async update({ params: { lcr_carrier_set_entry_sid: sid }, body, ...who }) {
    const own = await tables.tableOfEntry(who.ctx.db, who.scope, sid)
    await changingPart(who, own, absent, async (tx, table) => {
      const columns = given(body)
      const { lcr_route_sid, voip_carrier_sid } = body
      const routes = await tables.routes(tx, table.lcr_sid)
      if (lcr_route_sid && !routes.some((r) => r.lcr_route_sid === lcr_route_sid))
        throw unknownRoute()
      const entry = routes
        .flatMap((r) => r.lcr_carrier_set_entries)
        .find((e) => e.lcr_carrier_set_entry_sid === sid)
      if (entry) refuseUntaken('lcr', who.by.untaken ?? {}, entry, entry)
      if (voip_carrier_sid && voip_carrier_sid !== entry?.voip_carrier_sid)
        await checkCarrier(tx, who.scope, table, voip_carrier_sid)
      if (!isEmpty(columns)) await tables.updateEntry(tx, sid, columns)
    })
  },

  async remove({ params: { lcr_carrier_set_entry_sid: sid }, ...who }) {
    const own = await tables.tableOfEntry(who.ctx.db, who.scope, sid)
    await changingPart(who, own, absent, async (tx, table) => {
      if (table.default_carrier_set_entry_sid === sid)
        throw conflict('lcr_carrier_set_entry_sid', DEFAULT_CARRIER_REQUIRED)
      await tables.removeEntry(tx, sid)
    })
  },
}
