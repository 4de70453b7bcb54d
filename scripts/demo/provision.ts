import { randomBytes } from 'node:crypto'
import type { Api } from './api.ts'
import { SBCS } from './hosts.ts'
import { type City, countryOf, numbersOf } from './numbers.ts'
import { makeAccount, makeApplications, secret, slug } from './provision-account.ts'
import { Random } from './random.ts'
import { COLLEAGUES, PROVIDERS, type ProviderPlan } from './tenants.ts'
import type { Account, World } from './world.ts'

/** The users that the demo prints. All have its password. */
export const USERS = {
  administrator: 'admin',
  provider: 'priya.shah',
  account: 'tom.ellis',
  viewer: 'vera.lindqvist',
} as const

const DESK = 'Operations desk'

/** Makes providers, accounts and everything in them through the API. */
export async function provision(api: Api, password: string, alertsUrl: string): Promise<World> {
  for (const ipv4 of SBCS) await api('POST', '/Sbcs', { ipv4, port: 5060, tls_port: 5061 })
  // a new installation has one provider with one account already
  const [provider] = await api<{ service_provider_sid: string }[]>('GET', '/ServiceProviders')
  const [account] = await api<{ account_sid: string }[]>('GET', '/Accounts')
  const accounts = await Promise.all(
    PROVIDERS.map((plan, n) =>
      makeProvider(
        api,
        plan,
        alertsUrl,
        n === 0 ? { provider: provider!.service_provider_sid, account: account!.account_sid } : {},
      ),
    ),
  )
  const world = { accounts: accounts.flat() }
  await makeUsers(api, world.accounts, password)
  return world
}

async function makeProvider(
  api: Api,
  plan: ProviderPlan,
  alertsUrl: string,
  existing: { provider?: string; account?: string },
) {
  const { name, description, root_domain } = plan
  const sid = existing.provider ?? (await api('POST', '/ServiceProviders', { name })).sid
  await api('PUT', `/ServiceProviders/${sid}`, {
    name,
    description,
    root_domain,
    limits: { voice_call_session: 250 },
  })
  const carriers = await makeCarriers(api, sid, plan)
  await makeSpeech(api, sid)
  const random = new Random(name)
  const numbers = new Map<City, () => string>()
  const accounts: Account[] = []
  for (const [i, [, city]] of plan.accounts.entries()) {
    const account = await makeAccount(api, sid, plan, i, i === 0 ? existing.account : undefined)
    await makeApplications(api, account, random)
    const next = numbers.get(city) ?? numbersOf(city)
    numbers.set(city, next)
    account.numbers.push(...account.applications.map(next))
    const carrier = carriers[plan.country === countryOf(city) ? i % 2 : carriers.length - 1]!
    for (const [n, application] of account.applications.entries())
      await api('POST', '/PhoneNumbers', {
        number: account.numbers[n],
        account_sid: account.sid,
        application_sid: application.sid,
        voip_carrier_sid: carrier,
        description: `${account.name}: ${application.name}`,
      })
    for (const username of account.phones)
      await api('POST', '/Clients', { username, password: secret(), account_sid: account.sid })
    accounts.push(account)
  }
  await makeRouting(api, sid, plan, carriers)
  await api('POST', '/AlertDestinations', {
    name: DESK,
    kind: 'webhook',
    address: alertsUrl,
    secret: `whsec_${randomBytes(24).toString('base64')}`,
    service_provider_sid: sid,
  })
  return accounts
}

async function makeCarriers(
  api: Api,
  service_provider_sid: string,
  { carriers, root_domain }: ProviderPlan,
) {
  const sids: string[] = []
  for (const { name, description, addresses, trunk_type } of carriers) {
    const { sid } = await api('POST', '/VoipCarriers', {
      name,
      description,
      service_provider_sid,
      trunk_type,
      e164_leading_plus: 1,
      ...(trunk_type === 'auth' && {
        inbound_auth_username: slug(name),
        inbound_auth_password: secret(),
        register_from_domain: root_domain,
      }),
      sip_gateways: addresses.map((ipv4, i) => ({
        ipv4,
        port: 5060,
        inbound: 1,
        outbound: i === 0 ? 1 : 0,
        send_options_ping: i === 0 ? 1 : 0,
      })),
    })
    sids.push(sid)
  }
  return sids
}

async function makeSpeech(api: Api, service_provider_sid: string) {
  const path = `/ServiceProviders/${service_provider_sid}/SpeechCredentials`
  const both = { use_for_tts: 1, use_for_stt: 1 }
  const service_key = JSON.stringify({
    client_email: 'speech@voice-platform.iam.example',
    private_key: secret(),
  })
  await api('POST', path, { vendor: 'google', ...both, service_key })
  await api('POST', path, { vendor: 'microsoft', ...both, region: 'westeurope', api_key: secret() })
  await api('POST', path, {
    vendor: 'elevenlabs',
    use_for_tts: 1,
    api_key: secret(),
    model_id: 'eleven_turbo_v2_5',
  })
  await api('POST', path, {
    vendor: 'deepgram',
    use_for_stt: 1,
    api_key: secret(),
    model_id: 'nova-3',
  })
}

async function makeRouting(
  api: Api,
  service_provider_sid: string,
  { name, country }: ProviderPlan,
  carriers: string[],
) {
  const entries = (...places: number[]) =>
    places.map((n) => ({ voip_carrier_sid: carriers[Math.min(n, carriers.length - 1)] }))
  const routes = {
    uk: [
      ['^447', 'Mobiles in the UK', entries(0, 1)],
      ['^44', 'Rest of the UK', entries(1, 0)],
      ['^(49|33)', 'Germany and France', entries(2)],
    ],
    us: [
      ['^1(312|773|847)', 'Chicago', entries(0, 1)],
      ['^1', 'North America', entries(1, 0)],
    ],
    au: [
      ['^614', 'Mobiles in Australia', entries(0)],
      ['^618', 'Perth and Adelaide', entries(1, 0)],
    ],
  } as Record<string, [string, string, object[]][]>
  await api('POST', '/Lcrs', {
    name: `${name} outbound`,
    service_provider_sid,
    routes: routes[country]!.map(([regex, description, lcr_carrier_set_entries]) => ({
      regex,
      description,
      lcr_carrier_set_entries,
    })),
    default_carrier: carriers[0],
  })
}

async function makeUsers(api: Api, accounts: Account[], password: string) {
  const [first] = accounts
  const domainOf = (provider_sid: string) =>
    accounts
      .find((a) => a.provider_sid === provider_sid)!
      .realm.split('.')
      .slice(-2)
      .join('.')
  const user = (name: string, owner: { service_provider_sid: string }, more: object = {}) =>
    api('POST', '/Users', {
      name,
      email: `${name}@${domainOf(owner.service_provider_sid)}`,
      initial_password: password,
      force_change: 0,
      ...owner,
      ...more,
    })
  const ofAccount = { account_sid: first!.sid, service_provider_sid: first!.provider_sid }
  await user(USERS.provider, { service_provider_sid: first!.provider_sid })
  await user(USERS.account, ofAccount)
  await user(USERS.viewer, { service_provider_sid: first!.provider_sid }, { is_view_only: 1 })
  for (const [name, provider, account] of COLLEAGUES) {
    const { provider_sid } = accounts.find((a) => a.provider === provider)!
    const owner = accounts.find((a) => a.name === account)
    await user(
      name,
      { service_provider_sid: provider_sid, ...(owner && { account_sid: owner.sid }) },
      { initial_password: secret(), force_change: 1 },
    )
  }
}

/** Has the alerts of all providers sent to another URL. */
export async function moveAlerts(api: Api, address: string) {
  const all = await api<{ name: string; alert_destination_sid: string }[]>(
    'GET',
    '/AlertDestinations',
  )
  for (const { name, alert_destination_sid } of all)
    if (name === DESK) await api('PUT', `/AlertDestinations/${alert_destination_sid}`, { address })
}
