import { t } from '@switchroom/contract'
import { type Sent, sipGateways, smppGateways } from '../endpoints'
import { PartlySaved } from '../partly-saved'
import type { Send } from './server'
import type { Step } from './steps'

type GatewayPlace = {
  ipv4: string
  port?: unknown
  netmask?: unknown
  inbound?: unknown
  outbound?: unknown
}
type Lists = {
  sip_gateways?: (GatewayPlace & { sip_gateway_sid?: string | undefined })[] | undefined
  smpp_gateways?: (GatewayPlace & { smpp_gateway_sid?: string | undefined })[] | undefined
}
type Row = { sid: string | undefined; ipv4: string; place: string; body: object }

const placeOf = ({ ipv4, port, netmask, inbound, outbound }: GatewayPlace) =>
  [ipv4.toLowerCase(), port, netmask, Number(inbound), Number(outbound)].join()
const rowOf = (sid: string | undefined, body: GatewayPlace): Row => ({
  sid,
  ipv4: body.ipv4,
  place: placeOf(body),
  body,
})

// the body of a row is that of its gateway; `add` gets the carrier's sid as well
const KINDS = [
  {
    named: (ipv4: string) => t('SIP gateway {ipv4}', { ipv4 }),
    deletion: (ipv4: string) => t('deletion of SIP gateway {ipv4}', { ipv4 }),
    wanted: ({ sip_gateways }: Lists) =>
      sip_gateways?.map(({ sip_gateway_sid: sid, ...body }) => rowOf(sid, body)),
    stored: async (send: Send, voip_carrier_sid: string) =>
      (await send(sipGateways.list, { query: { voip_carrier_sid } })).map((g) =>
        rowOf(g.sip_gateway_sid, g),
      ),
    add: (send: Send, body: object) =>
      send(sipGateways.create, { body } as Sent<typeof sipGateways.create>),
    change: (send: Send, sip_gateway_sid: string, body: object) =>
      send(sipGateways.update, { params: { sip_gateway_sid }, body }),
    remove: (send: Send, sip_gateway_sid: string) =>
      send(sipGateways.remove, { params: { sip_gateway_sid } }),
  },
  {
    named: (ipv4: string) => t('SMPP gateway {ipv4}', { ipv4 }),
    deletion: (ipv4: string) => t('deletion of SMPP gateway {ipv4}', { ipv4 }),
    wanted: ({ smpp_gateways }: Lists) =>
      smpp_gateways?.map(({ smpp_gateway_sid: sid, ...body }) => rowOf(sid, body)),
    stored: async (send: Send, voip_carrier_sid: string) =>
      (await send(smppGateways.list, { query: { voip_carrier_sid } })).map((g) =>
        rowOf(g.smpp_gateway_sid, g),
      ),
    add: (send: Send, body: object) =>
      send(smppGateways.create, { body } as Sent<typeof smppGateways.create>),
    change: (send: Send, smpp_gateway_sid: string, body: object) =>
      send(smppGateways.update, { params: { smpp_gateway_sid }, body }),
    remove: (send: Send, smpp_gateway_sid: string) =>
      send(smppGateways.remove, { params: { smpp_gateway_sid } }),
  },
]

/** The requests that turn the stored gateways into the ones in the form. */
export async function gatewaySteps(send: Send, voip_carrier_sid: string, lists: Lists) {
  const steps: Step[] = []
  for (const kind of KINDS) {
    const wanted = kind.wanted(lists)
    if (!wanted) continue
    const stored = await kind.stored(send, voip_carrier_sid).catch((e: Error) => {
      throw new PartlySaved(
        t('Saved: the carrier. Not saved: its gateways. {message}', { message: e.message }),
      )
    })
    const kept = new Set<string | undefined>()
    for (const row of wanted) {
      // do not add again what an earlier attempt has added
      const sid = row.sid ?? stored.find((s) => s.place === row.place && !kept.has(s.sid))?.sid
      kept.add(sid)
      steps.push({
        what: kind.named(row.ipv4),
        run: () =>
          sid
            ? kind.change(send, sid, row.body)
            : kind.add(send, { ...row.body, voip_carrier_sid }),
      })
    }
    for (const { sid, ipv4 } of stored)
      if (sid && !kept.has(sid))
        steps.push({
          what: kind.deletion(ipv4),
          run: () => kind.remove(send, sid),
        })
  }
  return steps
}
