import { type SipGatewayIn, type SmppGatewayIn, t } from '@switchroom/contract'
import { accounts, phoneNumbers, sipGateways, smppGateways, voipCarriers } from '../endpoints'
import { gatewaySteps } from './gateways'
import { namesOf, pageOf, pageOrRows, rowsOf } from './lists'
import { refuseInUse, usage } from './refuse'
import { routesThrough } from './routing'
import { type Given, on, type Send, type Server } from './server'
import { created, runInOrder } from './steps'

type Gateways = {
  sip_gateways?: SipGatewayIn[] | undefined
  smpp_gateways?: SmppGatewayIn[] | undefined
}
type Create =
  | typeof voipCarriers.create
  | typeof voipCarriers.createForAccount
  | typeof voipCarriers.createForServiceProvider
type Update =
  | typeof voipCarriers.update
  | typeof voipCarriers.updateOfAccount
  | typeof voipCarriers.updateOfServiceProvider
type List =
  | typeof voipCarriers.list
  | typeof voipCarriers.ofAccount
  | typeof voipCarriers.ofServiceProvider

const createCarrier = async (e: Create, sent: Given<Create>, { send }: Server) => {
  const { sip_gateways, smpp_gateways, ...body } = sent.body
  // the three endpoints differ only in their path parameters, which are passed on
  const { sid } = await send(e as typeof voipCarriers.create, { ...sent, body })
  return created(sid, async () =>
    runInOrder(t('the carrier'), await gatewaySteps(send, sid, { sip_gateways, smpp_gateways })),
  )
}

const updateCarrier = async (e: Update, sent: Given<Update>, { send }: Server) => {
  const { sip_gateways, smpp_gateways, ...body } = sent.body
  const { voip_carrier_sid } = sent.params
  // it requires the password with every change of a carrier that registers
  const stored =
    body.requires_register && body.register_password === undefined
      ? await send(voipCarriers.view, { params: { voip_carrier_sid } })
      : undefined
  const { service_provider_sid, ...carrier } = body
  // the three endpoints take the same body, and their parameters are passed on
  await send(e as typeof voipCarriers.update, {
    params: sent.params,
    body: {
      ...carrier,
      ...(service_provider_sid && { service_provider_sid }),
      ...(stored && { register_password: stored.register_password }),
    },
  })
  await saveGateways(send, voip_carrier_sid, { sip_gateways, smpp_gateways })
}

const saveGateways = async (send: Send, sid: string, lists: Gateways) =>
  runInOrder(t('the carrier'), await gatewaySteps(send, sid, lists))

/** Numbers of gateways; null if the server does not say. */
async function counts(send: Send, voip_carrier_sid: string) {
  const gateways = await send(sipGateways.list, { query: { voip_carrier_sid } }).catch(() => null)
  return {
    inbound_gateways: gateways?.filter((g) => g.inbound).length ?? null,
    outbound_gateways: gateways?.filter((g) => g.outbound).length ?? null,
  }
}

async function listCarriers(e: List, sent: Given<List>, { send }: Server) {
  const { page, page_size, filter, sort, name = filter, ...query } = sent.query
  // it does not sort, and does not page the carriers of an account
  const whole = sort !== undefined || e === voipCarriers.ofAccount
  const request = { ...sent, query: { ...query, name, ...(!whole && { page, page_size }) } }
  // the three endpoints return the same rows, and their parameters are passed on
  const reply = await pageOrRows(send, e as typeof voipCarriers.list, request)
  if (page === undefined) return reply
  const result = Array.isArray(reply)
    ? pageOf(reply, { page, page_size, sort, filter: name })
    : reply
  const nameOf = await namesOf(send, accounts.list, { query: {} }, 'account_sid')
  const data = await Promise.all(
    result.data.map(async (c) => ({
      ...c,
      account_name: nameOf(c.account_sid),
      ...(await counts(send, c.voip_carrier_sid)),
    })),
  )
  return { ...result, page: Number(page), page_size: Number(page_size ?? result.page_size), data }
}

const lists = [voipCarriers.list, voipCarriers.ofAccount, voipCarriers.ofServiceProvider] as const
const creates = [
  voipCarriers.create,
  voipCarriers.createForAccount,
  voipCarriers.createForServiceProvider,
] as const
const updates = [
  voipCarriers.update,
  voipCarriers.updateOfAccount,
  voipCarriers.updateOfServiceProvider,
] as const

export const forCarriers = [
  ...lists.map((e) => on<List>(e, (sent, server) => listCarriers(e, sent, server))),
  ...creates.map((e) => on<Create>(e, (sent, server) => createCarrier(e, sent, server))),
  ...updates.map((e) => on<Update>(e, (sent, server) => updateCarrier(e, sent, server))),

  on(voipCarriers.view, async ({ params }, { send }) => {
    const request = { query: params }
    const [carrier, sip_gateways, smpp_gateways] = await Promise.all([
      send(voipCarriers.view, { params }),
      send(sipGateways.list, request),
      send(smppGateways.list, request),
    ])
    return { ...carrier, sip_gateways, smpp_gateways }
  }),

  on(voipCarriers.remove, async ({ params }, { send }) => {
    const { voip_carrier_sid } = params
    const numbers = await rowsOf(send, phoneNumbers.list, { query: {} })
    refuseInUse('voip_carrier', [
      usage(
        t('Phone numbers'),
        numbers.filter((n) => n.voip_carrier_sid === voip_carrier_sid),
        'phone_number_sid',
        'number',
      ),
      usage(
        t('Outbound call routing'),
        await routesThrough(send, undefined, [voip_carrier_sid]),
        'lcr_route_sid',
        'regex',
      ),
    ])
    // the server deletes its gateways too
    return send(voipCarriers.remove, { params })
  }),
]
