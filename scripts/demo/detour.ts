import type { Api } from './api.ts'
import { DEGRADED, PROVIDERS } from './tenants.ts'
import type { World } from './world.ts'

type Route = { regex: string; lcr_carrier_set_entries: { voip_carrier_sid: string }[] }

/** A number that the degraded carrier refuses. */
const REFUSED = `${DEGRADED.prefix}900123`

/**
 * The carrier that somebody has routed these calls to, in place of the degraded one; undefined while that has them. The
 * platform reads the routing tables, so the demo does for what its incident is about.
 */
export async function detourOf(api: Api, { accounts }: World): Promise<string | undefined> {
  const provider = PROVIDERS.find(({ carriers }) =>
    carriers.some(({ name }) => name === DEGRADED.carrier),
  )
  const sid = accounts.find((a) => a.provider === provider?.name)?.provider_sid
  if (!sid) return undefined
  const { data } = await api<{ data: { lcr_sid: string; account_sid: string | null }[] }>(
    'GET',
    `/Lcrs?service_provider_sid=${sid}&page=1&page_size=100`,
  )
  const table = data.find(({ account_sid }) => account_sid === null)
  if (!table) return undefined
  const { routes } = await api<{ routes: Route[] }>('GET', `/Lcrs/${table.lcr_sid}`)
  const route = routes.find(({ regex }) => new RegExp(regex).test(REFUSED))
  const carrier = route?.lcr_carrier_set_entries[0]?.voip_carrier_sid
  if (!carrier) return undefined
  const { name } = await api<{ name: string }>('GET', `/VoipCarriers/${carrier}`)
  return name === DEGRADED.carrier ? undefined : name
}
