import type { Call } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'

/**
 * A resource that calls are counted for. The account is the resource's, in lower case; empty for a number without one.
 */
export type Thing = { thing_sid: string; account_sid: string }
export type ThingsOf = (call: Call) => Thing[]

const some = (all: (string | null | undefined)[]) => [
  // an empty list is no SQL
  ...new Set(['', ...all.filter((one) => typeof one === 'string')]),
]
/** The platform's tables have sids and names in any case. */
const lower = (text: string | null | undefined) => text?.toLowerCase() ?? ''

/** Values that the platform writes in place of a carrier for calls to SIP clients and SIP addresses. */
const NO_CARRIER = ['user', 'sipUri']
const isOfCarrier = ({ trunk }: Call) => !!trunk && !NO_CARRIER.includes(trunk)

/** The called number of an inbound call, the calling one of an outbound call, as numbers are stored. */
function numberOf({ direction, from, to }: Call) {
  const text = direction === 'inbound' ? to : direction === 'outbound' ? from : null
  return /^\+?(\d+)$/.exec(text ?? '')?.[1]
}

/** The user that an inbound call comes from, or an outbound call goes to, with the realm if it is written. */
function userOf(call: Call) {
  const text = call.direction === 'inbound' ? call.from : call.to
  const [, name, realm] = /^(?:sips?:)?([^@;]+)(?:@([^;:]+))?/.exec(text ?? '') ?? []
  // a number that a carrier brings is no user, whatever it is called
  if (!name || (!realm && isOfCarrier(call))) return undefined
  return { name: name.toLowerCase(), realm: realm?.toLowerCase() }
}

/** Finds the phone numbers, applications and SIP clients of these calls, within the account of each call. */
export async function thingsOf(db: Db, calls: readonly Call[]): Promise<ThingsOf> {
  const accounts = await accountsOf(db, calls)
  const numbers = await numbersOf(db, calls)
  const applications = await applicationsOf(db, calls)
  const clients = await clientsOf(db, calls)

  function itsNumbers(call: Call, account_sid: string): Thing[] {
    const named = numbers.get(numberOf(call) ?? '') ?? []
    const provider = lower(accounts.get(account_sid)?.service_provider_sid)
    const own = named.filter((number) => account_sid && lower(number.account_sid) === account_sid)
    // as the platform looks them up
    const shared = named.filter(
      (number) => !number.account_sid && lower(number.service_provider_sid) === provider,
    )
    const all = own.length > 0 ? own : shared
    // if several carriers have the number, the one by which the call came
    const ofCarrier = all.filter((number) => number.carrier === call.trunk)
    return (ofCarrier.length > 0 ? ofCarrier : all).map((number) => ({
      thing_sid: number.phone_number_sid,
      account_sid: lower(number.account_sid),
    }))
  }

  function itsApplication(call: Call, account_sid: string): Thing[] {
    const application = applications.get(lower(call.application_sid))
    return application && account_sid && lower(application.account_sid) === account_sid
      ? [{ thing_sid: application.application_sid, account_sid }]
      : []
  }

  function itsClient(call: Call, account_sid: string): Thing[] {
    const user = userOf(call)
    if (!user) return []
    if (user.realm !== undefined && user.realm !== lower(accounts.get(account_sid)?.sip_realm))
      return []
    const client = clients.get(JSON.stringify([account_sid, user.name]))
    return client ? [{ thing_sid: client.client_sid, account_sid }] : []
  }

  return (call) => {
    const account_sid = lower(call.account_sid)
    return [itsNumbers, itsApplication, itsClient].flatMap((its) => its(call, account_sid))
  }
}

async function accountsOf(db: Db, calls: readonly Call[]) {
  const rows = await db
    .selectFrom('accounts')
    .select(['account_sid', 'service_provider_sid', 'sip_realm'])
    .where('account_sid', 'in', some(calls.map((call) => call.account_sid)))
    .execute()
  return new Map(rows.map((row) => [lower(row.account_sid), row]))
}

async function numbersOf(db: Db, calls: readonly Call[]) {
  const rows = await db
    .selectFrom('phone_numbers')
    .leftJoin('voip_carriers', 'voip_carriers.voip_carrier_sid', 'phone_numbers.voip_carrier_sid')
    .select([
      'phone_numbers.phone_number_sid',
      'phone_numbers.number',
      'phone_numbers.account_sid',
      'phone_numbers.service_provider_sid',
      'voip_carriers.name as carrier',
    ])
    .where(
      'phone_numbers.number',
      'in',
      some(calls.map(numberOf).flatMap((number) => (number ? [number, `+${number}`] : []))),
    )
    .execute()
  return Map.groupBy(rows, ({ number }) => number.replace(/^\+/, ''))
}

async function applicationsOf(db: Db, calls: readonly Call[]) {
  const rows = await db
    .selectFrom('applications')
    .select(['application_sid', 'account_sid'])
    .where('application_sid', 'in', some(calls.map((call) => call.application_sid)))
    .execute()
  return new Map(rows.map((row) => [lower(row.application_sid), row]))
}

async function clientsOf(db: Db, calls: readonly Call[]) {
  const rows = await db
    .selectFrom('clients')
    .select(['client_sid', 'account_sid', 'username'])
    .where('account_sid', 'in', some(calls.map((call) => call.account_sid)))
    .where(({ fn }) => fn('lower', ['username']), 'in', some(calls.map((c) => userOf(c)?.name)))
    .execute()
  return new Map(
    rows.map((row) => [JSON.stringify([lower(row.account_sid), lower(row.username)]), row]),
  )
}
