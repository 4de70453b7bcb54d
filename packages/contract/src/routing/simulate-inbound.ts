import { plural, t } from '../wire/text.ts'
import {
  byPriority,
  certainty,
  gatewayAddress,
  type MatchRegex,
  matchRegex,
  PatternTooSlow,
  type RoutingCarrier,
  type RoutingGateway,
  type RoutingStep,
} from './routing.ts'

export type RoutingNumber = {
  number: string
  voip_carrier_sid: string | null
  account_sid: string | null
  application_sid: string | null
}
/** An account's rule for numbers without an application. The platform reads these; no API writes them. */
export type CallRoute = {
  account_sid: string
  regex: string
  priority: number
  application_sid: string
}
export type Inbound = {
  source: string
  number: string
  /** The account whose SIP realm was called, if any. */
  account_sid: string | null
  carriers: RoutingCarrier[]
  /** The user that the call authenticates as, at the account's SIP realm. */
  username?: string | undefined
  /** Active trunks of the account and its provider that calls authenticate to, from any address. */
  trunks?: (RoutingCarrier & { username: string | null })[] | undefined
  numbers: RoutingNumber[]
  callRoutes: CallRoute[]
  /** Names of applications, where known. */
  applications: Record<string, string>
}
export type InboundResult = {
  steps: RoutingStep[]
  outcome: 'answered' | 'failed'
  carrier: string | null
  number: string | null
  application: string | null
}

/** True if a source address matches a gateway's address or range. */
export function isInGatewayRange({ ipv4, netmask }: RoutingGateway, source: string) {
  if (netmask >= 32) return ipv4 === source
  const [of, from] = [bits(ipv4), bits(source)]
  if (of === undefined || from === undefined) return false
  const size = 2 ** (32 - netmask)
  return Math.floor(of / size) === Math.floor(from / size)
}

function bits(ipv4: string) {
  const octets = ipv4.split('.').map(Number)
  return octets.length === 4 && octets.every((o) => o >= 0 && o <= 255)
    ? octets.reduce((sum, octet) => sum * 256 + octet, 0)
    : undefined
}

const isPattern = (number: string) => /\D/.test(number)

/** A trailing star stands for any digits; all other patterns are regular expressions. */
const numberMatches = (pattern: string, number: string, matches: MatchRegex) =>
  pattern.endsWith('*') && !isPattern(pattern.slice(0, -1))
    ? number.startsWith(pattern.slice(0, -1)) && !isPattern(number)
    : matches(pattern, number)

/** An inbound call from a carrier. */
export function simulateInbound(call: Inbound, matches: MatchRegex = matchRegex): InboundResult {
  const steps: RoutingStep[] = []
  const nothing = { steps, outcome: 'failed', number: null, application: null } as const
  const end = (reason: string) =>
    steps.push({
      kind: 'outcome',
      result: 'failed',
      reason,
    })

  let from = carriersFrom(call, steps)
  if (from.length === 0) from = trunkOf(call, steps)
  if (from.length === 0) {
    end(
      t('The call is rejected: no active carrier has an inbound gateway for {source}.', {
        source: call.source,
      }),
    )
    return { ...nothing, carrier: null }
  }
  const dialed = call.number.replace(/^\+/, '')
  const rows = call.numbers.filter(
    (n) =>
      from.some((c) => c.voip_carrier_sid === n.voip_carrier_sid) &&
      (!call.account_sid || n.account_sid === call.account_sid),
  )
  const matched = numberFor(dialed, rows, steps, matches)
  if (matched === 'unreadable') {
    end(t('The call is rejected: the platform stops here.'))
    return { ...nothing, carrier: null }
  }
  const carrier = from.find((c) => c.voip_carrier_sid === matched?.voip_carrier_sid) ?? from[0]!
  if (from.length > 1)
    steps.push({
      kind: 'carrier',
      result: matched ? 'taken' : 'warned',
      reason: matched
        ? t('The number belongs to carrier {name}.', { name: carrier.name })
        : plural(
            from.length,
            '1 carrier has this address and no phone number tells it apart. {name} is assumed.|{n} carriers have this address and no phone number tells them apart. {name} is assumed.',
            { name: carrier.name },
          ),
    })
  const application = applicationFor(call, dialed, carrier, matched, steps, matches)
  const result = {
    steps,
    carrier: carrier.voip_carrier_sid,
    number: matched?.number ?? null,
    application,
  }
  if (!application) {
    end(t('The call is rejected: no application answers it.'))
    return { ...result, outcome: 'failed' }
  }
  steps.push({
    kind: 'outcome',
    result: certainty(steps),
    reason: t('Application {name} answers the call.', {
      name: call.applications[application] ?? application,
    }),
  })
  return { ...result, outcome: 'answered' }
}

function carriersFrom({ carriers, source }: Inbound, steps: RoutingStep[]) {
  const from: RoutingCarrier[] = []
  for (const carrier of carriers) {
    const gateways = carrier.sip_gateways.filter((g) => isInGatewayRange(g, source))
    const gateway = gateways.find((g) => g.inbound)
    if (gateways.length === 0) continue
    const at = t('{name}: gateway {address}', {
      name: carrier.name,
      address: gatewayAddress(gateway ?? gateways[0]!),
    })
    const passed = (reason: string) => steps.push({ kind: 'gateway', result: 'passed', reason })
    if (!gateway) passed(t('{at} is not for inbound calls.', { at }))
    else if (!carrier.is_active)
      passed(t('{at} has this address, but the carrier is inactive.', { at }))
    else if (!carrier.service_provider_sid)
      passed(t('{at} has this address, but the carrier has no service provider.', { at }))
    else {
      from.push(carrier)
      steps.push({
        kind: 'gateway',
        result: gateway.is_active ? 'taken' : 'warned',
        reason: gateway.is_active
          ? t('{at} has this address. The port is not compared.', { at })
          : t('{at} has this address and takes the call, although the gateway is inactive.', {
              at,
            }),
      })
    }
  }
  return from
}

/** Asked for calls from an address that no carrier has. */
function trunkOf({ username, trunks = [] }: Inbound, steps: RoutingStep[]): RoutingCarrier[] {
  const note = (result: RoutingStep['result'], reason: string) =>
    steps.push({ kind: 'carrier', result, reason })
  if (!username) {
    for (const { name } of trunks)
      note(
        'passed',
        t('{name} takes calls from any address that authenticate with its username.', { name }),
      )
    return []
  }
  const trunk = trunks.find((c) => c.username === username)
  if (!trunk) {
    note(
      'passed',
      t('No trunk of the account or its provider has the username {username}.', { username }),
    )
    return []
  }
  note(
    'taken',
    t('The call authenticates as {username}, so it comes from {name}.', {
      username,
      name: trunk.name,
    }),
  )
  return [trunk]
}

function numberFor(
  dialed: string,
  rows: RoutingNumber[],
  steps: RoutingStep[],
  matches: MatchRegex,
) {
  const note = (result: RoutingStep['result'], reason: string) =>
    steps.push({ kind: 'number', result, reason })
  const exact = rows.find((n) => n.number === dialed)
  if (exact) {
    note('taken', t('Phone number {number} matches the called number.', { number: exact.number }))
    return exact
  }
  const patterns = rows.filter((n) => isPattern(n.number))
  for (const row of patterns.toSorted((a, b) => b.number.length - a.number.length))
    try {
      if (numberMatches(row.number, dialed, matches)) {
        note(
          'taken',
          t('Phone number pattern “{number}” matches. The longest pattern is tried first.', {
            number: row.number,
          }),
        )
        return row
      }
      note('passed', t('Phone number pattern “{number}” does not match.', { number: row.number }))
    } catch (e) {
      note(
        'failed',
        e instanceof PatternTooSlow
          ? t('Phone number pattern “{number}” takes too long to match.', { number: row.number })
          : t('Phone number pattern “{number}” is not a valid regular expression.', {
              number: row.number,
            }),
      )
      return 'unreadable' as const
    }
  note('passed', t('None of the phone numbers of this carrier matches the called number.'))
  return undefined
}

function applicationFor(
  { callRoutes }: Inbound,
  dialed: string,
  carrier: RoutingCarrier,
  matched: RoutingNumber | undefined,
  steps: RoutingStep[],
  matches: MatchRegex,
) {
  const note = (result: RoutingStep['result'], reason: string) =>
    steps.push({ kind: 'application', result, reason })
  if (matched?.application_sid) {
    note('taken', t('The phone number has an application.'))
    return matched.application_sid
  }
  if (matched) note('passed', t('The phone number has no application.'))
  if (carrier.application_sid) {
    note('taken', t('The default application of carrier {name} is used.', { name: carrier.name }))
    return carrier.application_sid
  }
  note('passed', t('Carrier {name} has no default application.', { name: carrier.name }))
  if (matched?.number !== dialed) return null
  for (const { regex, application_sid } of byPriority(
    callRoutes.filter((r) => r.account_sid === matched.account_sid),
  ))
    try {
      if (!matches(regex, dialed)) continue
      note('taken', t('Call route “{regex}” of the account matches.', { regex }))
      return application_sid
    } catch {
      note('failed', t('Call route “{regex}” of the account cannot be evaluated.', { regex }))
      return null
    }
  return null
}
