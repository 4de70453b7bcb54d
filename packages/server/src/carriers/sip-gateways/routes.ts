import { randomUUID } from 'node:crypto'
import { type api, t } from '@switchroom/contract'
import { audited, auditedAddition } from '../../audit/audited.ts'
import { definedFields } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import { found, invalidField } from '../../http/failure.ts'
import { refuseOverLimit } from '../../http/limits.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { gateways as storedGateways } from '../voip-carriers/gateway-queries.ts'
import * as carrierGateways from '../voip-carriers/gateways.ts'
import * as carriers from '../voip-carriers/queries.ts'
import { refuseToAccounts } from '../voip-carriers/reserved.ts'
import * as gateways from './queries.ts'

/** Throws 400 for a gateway the caller may not change, as the platform does. */
async function ownGateway(db: Db, scope: Scope, sid: string) {
  const gateway = await gateways.findOwn(db, scope, sid)
  if (!gateway) throw invalidField('sip_gateway_sid', t('invalid sip_gateway_sid'))
  return gateway
}

const auditSubject = carriers.gatewaySubject('sip_gateway', gateways.find)

/** No two gateways of a carrier are the same, so they change one after the other. */
const lockOf = (voip_carrier_sid: string) => `voip_carrier:${voip_carrier_sid}`

async function lockedSubject(db: Db, scope: Scope, sid: string) {
  const { voip_carrier_sid } = await ownGateway(db, scope, sid)
  return { ...auditSubject(scope, sid), lock: lockOf(voip_carrier_sid) }
}

export const sipGatewayRoutes: Handlers<typeof api.sipGateways> = {
  async list({ query: { voip_carrier_sid }, scope, ctx }) {
    // for a carrier that does not exist, administrators get an empty list, as on the platform
    if (scope.role !== 'admin' && !(await carriers.find(ctx.db, scope, voip_carrier_sid)))
      throw invalidField('voip_carrier_sid', t('invalid voip_carrier_sid'))
    return storedGateways(ctx.db, voip_carrier_sid)
  },

  view: async ({ params, scope, ctx }) =>
    found(await gateways.find(ctx.db, scope, params.sip_gateway_sid), t('SIP gateway')),

  async create({ body: { voip_carrier_sid, ...body }, ...actor }) {
    const { scope, ctx } = actor
    refuseToAccounts(ctx, scope)
    const sid = randomUUID()
    const subject = { ...auditSubject(scope, sid), lock: lockOf(voip_carrier_sid) }
    await auditedAddition(actor, subject, async (tx) => {
      const carrier = await carriers.findOwn(tx, scope, voip_carrier_sid)
      if (!carrier) throw invalidField('voip_carrier_sid', t('invalid voip_carrier_sid'))
      await refuseOverLimit(ctx, tx, scope, 'sip_gateways')
      const columns = carrierGateways.columnsOf(body)
      const minNetmask = ctx.config.min_gateway_netmask
      await carrierGateways.check(tx, voip_carrier_sid, columns, minNetmask)
      return carriers.ownedGateway(
        await carrierGateways.insert(tx, voip_carrier_sid, columns, sid),
        carrier,
      )
    })
    return { sid }
  },

  async update({ params: { sip_gateway_sid }, body, ...actor }) {
    const { scope, ctx } = actor
    refuseToAccounts(ctx, scope)
    const subject = await lockedSubject(ctx.db, scope, sip_gateway_sid)
    await audited(actor, subject, async (tx) => {
      const stored = await ownGateway(tx, scope, sip_gateway_sid)
      const { sip_gateway_sid: _, voip_carrier_sid, protocol, ...rest } = stored
      const before = { ...rest, protocol: protocol ?? 'udp' }
      const columns = carrierGateways.columnsOf({ ...before, ...definedFields(body) })
      const minNetmask = ctx.config.min_gateway_netmask
      await carrierGateways.check(tx, voip_carrier_sid, columns, minNetmask, sip_gateway_sid)
      await carrierGateways.update(tx, scope, sip_gateway_sid, columns)
    })
  },

  async remove({ params: { sip_gateway_sid }, ...actor }) {
    const { scope, ctx } = actor
    refuseToAccounts(ctx, scope)
    const subject = await lockedSubject(ctx.db, scope, sip_gateway_sid)
    await audited(actor, subject, async (tx) => {
      await ownGateway(tx, scope, sip_gateway_sid)
      await gateways.remove(tx, scope, sip_gateway_sid)
    })
  },
}
