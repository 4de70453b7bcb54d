import { type Sent, sipGateways, smppGateways, voipCarriers } from '@switchroom/contract'
import { ownAccount } from '../lib/access'
import { send } from '../lib/api'
import { capabilities } from '../lib/capabilities'
import { type Created, messageOf, PartlySaved } from '../lib/failure'

type Body = Sent<typeof voipCarriers.create>['body']
type Lists = Pick<Body, 'sip_gateways' | 'smpp_gateways'>

/** An account adds to itself, everybody else to the provider; `body.account_sid` says who uses it. */
const add = (provider: string, body: Body) => {
  const account_sid = ownAccount()
  return account_sid
    ? send(voipCarriers.createForAccount, { params: { account_sid }, body })
    : send(voipCarriers.createForServiceProvider, {
        params: { service_provider_sid: provider },
        body,
      })
}

/** With its gateways: as one where the server can, otherwise call by call, saying how far it came. */
export async function createCarrier(
  provider: string,
  { body }: Sent<typeof voipCarriers.create>,
): Promise<Created> {
  if (await capabilities()) return add(provider, body)
  const { sip_gateways, smpp_gateways, ...carrier } = body
  const { sid } = await add(provider, carrier)
  try {
    await saveOneByOne(sid, { sip_gateways, smpp_gateways })
  } catch (e) {
    return { sid, unsaved: messageOf(e) }
  }
  return { sid }
}

export async function updateCarrier(sent: Sent<typeof voipCarriers.update>) {
  if (await capabilities()) return send(voipCarriers.update, sent)
  const { sip_gateways, smpp_gateways, ...body } = sent.body
  await send(voipCarriers.update, { params: sent.params, body })
  await saveOneByOne(sent.params.voip_carrier_sid, { sip_gateways, smpp_gateways })
}

type Row = { sid: string | undefined; ipv4: string; place: string; body: object }
type Placed = {
  ipv4: string
  port?: unknown
  netmask?: unknown
  inbound?: unknown
  outbound?: unknown
}
const placeOf = ({ ipv4, port, netmask, inbound, outbound }: Placed) =>
  [ipv4.toLowerCase(), port, netmask, Number(inbound), Number(outbound)].join()

const KINDS = [
  {
    name: 'SIP gateway',
    wanted: ({ sip_gateways }: Lists) =>
      sip_gateways?.map(({ sip_gateway_sid: sid, ...body }) => rowOf(sid, body)),
    stored: async (voip_carrier_sid: string) =>
      (await send(sipGateways.list, { query: { voip_carrier_sid } })).map((g) =>
        rowOf(g.sip_gateway_sid, g),
      ),
    add: (body: object) => send(sipGateways.create, { body } as Sent<typeof sipGateways.create>),
    change: (sip_gateway_sid: string, body: object) =>
      send(sipGateways.update, { params: { sip_gateway_sid }, body }),
    remove: (sip_gateway_sid: string) => send(sipGateways.remove, { params: { sip_gateway_sid } }),
  },
  {
    name: 'SMPP gateway',
    wanted: ({ smpp_gateways }: Lists) =>
      smpp_gateways?.map(({ smpp_gateway_sid: sid, ...body }) => rowOf(sid, body)),
    stored: async (voip_carrier_sid: string) =>
      (await send(smppGateways.list, { query: { voip_carrier_sid } })).map((g) =>
        rowOf(g.smpp_gateway_sid, g),
      ),
    add: (body: object) => send(smppGateways.create, { body } as Sent<typeof smppGateways.create>),
    change: (smpp_gateway_sid: string, body: object) =>
      send(smppGateways.update, { params: { smpp_gateway_sid }, body }),
    remove: (smpp_gateway_sid: string) =>
      send(smppGateways.remove, { params: { smpp_gateway_sid } }),
  },
]
const rowOf = (sid: string | undefined, body: Placed): Row => ({
  sid,
  ipv4: body.ipv4,
  place: placeOf(body),
  body,
})

type Step = { what: string; run: () => Promise<unknown> }

async function saveOneByOne(voip_carrier_sid: string, lists: Lists) {
  const steps: Step[] = []
  for (const kind of KINDS) {
    const wanted = kind.wanted(lists)
    if (!wanted) continue
    const stored = await kind.stored(voip_carrier_sid).catch((e: unknown) => {
      throw new PartlySaved(`Saved: the carrier. Not saved: its gateways. ${messageOf(e)}`)
    })
    const kept = new Set<string | undefined>()
    for (const row of wanted) {
      // one that an earlier try has added is not added again
      const sid = row.sid ?? stored.find((s) => s.place === row.place && !kept.has(s.sid))?.sid
      kept.add(sid)
      steps.push({
        what: `${kind.name} ${row.ipv4}`,
        run: () => (sid ? kind.change(sid, row.body) : kind.add({ ...row.body, voip_carrier_sid })),
      })
    }
    for (const { sid, ipv4 } of stored)
      if (sid && !kept.has(sid))
        steps.push({ what: `deletion of ${kind.name} ${ipv4}`, run: () => kind.remove(sid) })
  }
  await inOrder(steps)
}

async function inOrder(steps: Step[]) {
  for (const [i, step] of steps.entries())
    try {
      await step.run()
    } catch (e) {
      const saved = ['the carrier', ...steps.slice(0, i).map((s) => s.what)].join(', ')
      const rest = steps.slice(i).map((s) => s.what)
      throw new PartlySaved(`Saved: ${saved}. Not saved: ${rest.join(', ')}. ${messageOf(e)}`)
    }
}
