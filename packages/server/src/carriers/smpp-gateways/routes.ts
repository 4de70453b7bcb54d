import { randomUUID } from 'node:crypto'
import { type api, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { definedFields } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { smppGateways } from '../voip-carriers/gateway-queries.ts'
import * as carriers from '../voip-carriers/queries.ts'
import { refuseToAccounts } from '../voip-carriers/reserved.ts'
import * as carrierGateways from '../voip-carriers/smpp-gateways.ts'
import * as gateways from './queries.ts'

const unknownGateway = () => invalidField('smpp_gateway_sid', t('invalid smpp_gateway_sid'))

/** Throws 400 for a gateway the caller may not change, as the platform does. */
async function ownGateway(db: Db, scope: Scope, sid: string) {
  const gateway = await gateways.findOwn(db, scope, sid)
  if (!gateway) throw unknownGateway()
  return gateway
}

const auditSubject = carriers.gatewaySubject('smpp_gateway', gateways.find)

/** No two gateways of a carrier are the same, so they change one after the other. */
const lockOf = (voip_carrier_sid: string) => `voip_carrier:${voip_carrier_sid}`

async function lockedSubject(db: Db, scope: Scope, sid: string) {
  const { voip_carrier_sid } = await ownGateway(db, scope, sid)
  return { ...auditSubject(scope, sid), lock: lockOf(voip_carrier_sid) }
}

const hasSmpp = ({ schemaHas }: Context) => schemaHas('smpp_gateways')

export const smppGatewayRoutes: Handlers<typeof api.smppGateways> = {
  async list({ query: { voip_carrier_sid }, scope, ctx }) {
    // for a carrier that does not exist, administrators get an empty list, as on the platform
    if (scope.role !== 'admin' && !(await carriers.find(ctx.db, scope, voip_carrier_sid)))
      throw invalidField('voip_carrier_sid', t('invalid voip_carrier_sid'))
    return smppGateways(ctx.db, ctx.schemaHas, voip_carrier_sid)
  },

  async view({ params, scope, ctx }) {
    const gateway = hasSmpp(ctx) && (await gateways.find(ctx.db, scope, params.smpp_gateway_sid))
    return found(gateway || undefined, t('SMPP gateway'))
  },

  async create({ body: { voip_carrier_sid, ...body }, ...actor }) {
    const { scope, ctx } = actor
    refuseToAccounts(ctx, scope)
    carrierGateways.refuseWithoutSmpp(ctx.schemaHas)
    const sid = randomUUID()
    const lock = lockOf(voip_carrier_sid)
    await audited(actor, { ...auditSubject(scope, sid), isNew: true, lock }, async (tx) => {
      if (!(await carriers.findOwn(tx, scope, voip_carrier_sid)))
        throw invalidField('voip_carrier_sid', t('invalid voip_carrier_sid'))
      await carrierGateways.check(tx, ctx.schemaHas, voip_carrier_sid, body)
      await carrierGateways.insert(tx, voip_carrier_sid, body, sid)
    })
    return { sid }
  },

  async update({ params: { smpp_gateway_sid }, body, ...actor }) {
    const { scope, ctx } = actor
    refuseToAccounts(ctx, scope)
    if (!hasSmpp(ctx)) throw unknownGateway()
    const subject = await lockedSubject(ctx.db, scope, smpp_gateway_sid)
    await audited(actor, subject, async (tx) => {
      const stored = await ownGateway(tx, scope, smpp_gateway_sid)
      const { smpp_gateway_sid: _, voip_carrier_sid, ...before } = stored
      const columns = { ...before, ...definedFields(body) }
      await carrierGateways.check(tx, ctx.schemaHas, voip_carrier_sid, columns, smpp_gateway_sid)
      await carrierGateways.update(tx, scope, smpp_gateway_sid, columns)
    })
  },

  async remove({ params: { smpp_gateway_sid }, ...actor }) {
    const { scope, ctx } = actor
    refuseToAccounts(ctx, scope)
    if (!hasSmpp(ctx)) throw unknownGateway()
    const subject = await lockedSubject(ctx.db, scope, smpp_gateway_sid)
    await audited(actor, subject, async (tx) => {
      await ownGateway(tx, scope, smpp_gateway_sid)
      await gateways.remove(tx, scope, smpp_gateway_sid)
    })
  },
}
