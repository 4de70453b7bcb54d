import { type Sent, sipGateways, voipCarriers } from '@switchroom/contract'
import { ownAccount } from '../lib/access'
import { send } from '../lib/api'
import { capabilities } from '../lib/capabilities'
import { type Created, messageOf, PartlySaved } from '../lib/failure'

type Body = Sent<typeof voipCarriers.create>['body']
type Gateway = NonNullable<Body['sip_gateways']>[number]

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

/** With its gateways: as one where the server can, otherwise step by step, saying how far it came. */
export async function createCarrier(
  provider: string,
  { body }: Sent<typeof voipCarriers.create>,
): Promise<Created> {
  if (await capabilities()) return add(provider, body)
  const { sip_gateways = [], ...carrier } = body
  const { sid } = await add(provider, carrier)
  try {
    await saveGatewaysOneByOne(sid, sip_gateways, [])
  } catch (e) {
    return { sid, unsaved: messageOf(e) }
  }
  return { sid }
}

export async function updateCarrier(
  sent: Sent<typeof voipCarriers.update>,
  stored: { sip_gateway_sid: string }[],
) {
  if (await capabilities()) return send(voipCarriers.update, sent)
  const { sip_gateways = [], ...body } = sent.body
  await send(voipCarriers.update, { params: sent.params, body })
  await saveGatewaysOneByOne(sent.params.voip_carrier_sid, sip_gateways, stored)
}

async function saveGatewaysOneByOne(
  voip_carrier_sid: string,
  wanted: Gateway[],
  stored: { sip_gateway_sid: string }[],
) {
  const done: string[] = []
  const step = async (what: string, work: () => Promise<unknown>) => {
    try {
      await work()
      done.push(what)
    } catch (e) {
      const saved = ['the carrier', ...done].join(', ')
      throw new PartlySaved(
        `Saved: ${saved}. Not saved: ${what} and what follows it. ${messageOf(e)}`,
      )
    }
  }
  const kept = new Set(wanted.map((g) => g.sip_gateway_sid))
  for (const { sip_gateway_sid } of stored)
    if (!kept.has(sip_gateway_sid))
      await step('a deleted gateway', () =>
        send(sipGateways.remove, { params: { sip_gateway_sid } }),
      )
  for (const { sip_gateway_sid, ...body } of wanted)
    await step(`gateway ${body.ipv4}`, () =>
      sip_gateway_sid
        ? send(sipGateways.update, { params: { sip_gateway_sid }, body } as Sent<
            typeof sipGateways.update
          >)
        : send(sipGateways.create, { body: { ...body, voip_carrier_sid } }),
    )
}
