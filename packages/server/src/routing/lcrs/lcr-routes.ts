import { randomUUID } from 'node:crypto'
import { type api, DEFAULT_CARRIER_REQUIRED, t } from '@switchroom/contract'
import { refuseUnknownFields } from '../../audit/unknown-fields.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import { conflict, Failure, found, invalidField } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'
import * as tables from './queries.ts'
import { changingPart } from './tables.ts'

const unknownTable = () => invalidField('lcr_sid', t('unknown lcr_sid'))
const notFound = () => new Failure('not_found', t('No such route'))

export const lcrRouteRoutes: Handlers<typeof api.lcrRoutes> = {
  async list({ query: { lcr_sid }, scope, ctx }) {
    if (!(await tables.isVisible(ctx.db, scope, lcr_sid))) throw unknownTable()
    return tables.routes(ctx.db, lcr_sid)
  },

  async view({ params: { lcr_route_sid }, scope, ctx }) {
    const lcr_sid = found(await tables.tableOfRoute(ctx.db, scope, lcr_route_sid), t('route'))
    const routes = await tables.routes(ctx.db, lcr_sid)
    return found(
      routes.find((r) => r.lcr_route_sid === lcr_route_sid),
      t('route'),
    )
  },

  async create({ body: { lcr_sid, ...columns }, ...actor }) {
    const sid = randomUUID()
    await changingPart(actor, lcr_sid, unknownTable, async (tx) => {
      await tables.insertRoute(tx, { lcr_route_sid: sid, lcr_sid, ...definedFields(columns) })
      await actor.meta.remember?.(tx, { sid })
    })
    return { sid }
  },

  async update({ params: { lcr_route_sid: sid }, body: { lcr_sid, ...body }, ...actor }) {
    const own = await tables.tableOfRoute(actor.ctx.db, actor.scope, sid)
    await changingPart(actor, own, notFound, async (tx, table) => {
      if (lcr_sid && lcr_sid !== table.lcr_sid) throw unknownTable()
      const route = (await tables.routes(tx, table.lcr_sid)).find((r) => r.lcr_route_sid === sid)
      if (route) refuseUnknownFields('lcr', actor.meta.unknown_fields ?? {}, route, route)
      const columns = definedFields(body)
      if (!isEmpty(columns)) await tables.updateRoute(tx, actor.scope, sid, columns)
    })
  },

  async remove({ params: { lcr_route_sid: sid }, ...actor }) {
    const own = await tables.tableOfRoute(actor.ctx.db, actor.scope, sid)
    await changingPart(actor, own, notFound, async (tx, table) => {
      const route = (await tables.routes(tx, table.lcr_sid)).find((r) => r.lcr_route_sid === sid)
      const isDefault = route?.lcr_carrier_set_entries.some(
        (e) => e.lcr_carrier_set_entry_sid === table.default_carrier_set_entry_sid,
      )
      if (isDefault) throw conflict('lcr_route_sid', DEFAULT_CARRIER_REQUIRED)
      await tables.removeRoutes(tx, actor.scope, [sid])
    })
  },
}
