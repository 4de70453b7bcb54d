import { randomUUID } from 'node:crypto'
import { type api, DEFAULT_CARRIER_REQUIRED } from '@switchroom/contract'
import { refuseUntaken } from '../changes/untaken.ts'
import { given, isEmpty } from '../db/given.ts'
import { conflict, Failure, found, invalidField } from '../http/failure.ts'
import type { Handlers } from '../http/serve.ts'
import * as tables from '../lcrs/queries.ts'
import { changingPart } from '../lcrs/tables.ts'

const unknownTable = () => invalidField('lcr_sid', 'unknown lcr_sid')
const absent = () => new Failure('not_found', 'No such route')

export const lcrRouteRoutes: Handlers<typeof api.lcrRoutes> = {
  async list({ query: { lcr_sid }, scope, ctx }) {
    if (!(await tables.view(ctx.db, scope, lcr_sid))) throw unknownTable()
    return tables.routes(ctx.db, lcr_sid)
  },

  async view({ params: { lcr_route_sid }, scope, ctx }) {
    const lcr_sid = found(await tables.tableOfRoute(ctx.db, scope, lcr_route_sid), 'route')
    const routes = await tables.routes(ctx.db, lcr_sid)
    return found(
      routes.find((r) => r.lcr_route_sid === lcr_route_sid),
      'route',
    )
  },

  async create({ body: { lcr_sid, ...columns }, ...who }) {
    const sid = randomUUID()
    await changingPart(who, lcr_sid, unknownTable, (tx) =>
      tables.insertRoute(tx, { lcr_route_sid: sid, lcr_sid, ...given(columns) }),
    )
    return { sid }
  },

  async update({ params: { lcr_route_sid: sid }, body: { lcr_sid, ...body }, ...who }) {
    const own = await tables.tableOfRoute(who.ctx.db, who.scope, sid)
    await changingPart(who, own, absent, async (tx, table) => {
      if (lcr_sid && lcr_sid !== table.lcr_sid) throw unknownTable()
      const route = (await tables.routes(tx, table.lcr_sid)).find((r) => r.lcr_route_sid === sid)
      if (route) refuseUntaken('lcr', who.by.untaken ?? {}, route, route)
      const columns = given(body)
      if (!isEmpty(columns)) await tables.updateRoute(tx, sid, columns)
    })
  },

  async remove({ params: { lcr_route_sid: sid }, ...who }) {
    const own = await tables.tableOfRoute(who.ctx.db, who.scope, sid)
    await changingPart(who, own, absent, async (tx, table) => {
      const route = (await tables.routes(tx, table.lcr_sid)).find((r) => r.lcr_route_sid === sid)
      const isDefault = route?.lcr_carrier_set_entries.some(
        (e) => e.lcr_carrier_set_entry_sid === table.default_carrier_set_entry_sid,
      )
      if (isDefault) throw conflict('lcr_route_sid', DEFAULT_CARRIER_REQUIRED)
      await tables.removeRoutes(tx, [sid])
    })
  },
}
