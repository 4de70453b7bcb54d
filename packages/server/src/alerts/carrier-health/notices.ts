import { type Alert, alertTypeOf, HEALTH_RULES, isOpenIssue, UNTYPED } from '@switchroom/contract'
import type { Row } from '../../carriers/voip-carriers/readable.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { HOUR_MS } from '../../stores/calls/sums.ts'
import { alertState, marksIn } from '../issues/marks.ts'
import { lookOwner } from './anomalies.ts'

/** The platform's repeated reports about a carrier or its gateways, such as failing pings, and since when. */
export type Notice = { message: string; since: string; sip_gateway_sids: string[] }

type Carrier = Pick<Row, 'voip_carrier_sid' | 'name' | 'service_provider_sid'>

/** The newest notices that are read. */
const MOST = 200

/** True if a text contains this name, and not a longer one. */
const names = (text: string, name: string) =>
  name !== '' &&
  new RegExp(`(?<![\\p{L}\\d.])${RegExp.escape(name)}(?![\\p{L}\\d]|\\.\\d)`, 'u').test(text)

/** Notices in the order of `carriers` that came in the last hour and that nobody has resolved. */
export async function noticesOf(
  ctx: Pick<Context, 'db' | 'stores'>,
  scope: Scope,
  carriers: readonly Carrier[],
  now: number,
): Promise<Notice[][]> {
  const owners = new Map<string, Owner>()
  const keys = carriers.map((carrier) => {
    const owner = lookOwner(scope, carrier)
    const key = JSON.stringify(owner)
    if (owner) owners.set(key, owner)
    return key
  })
  const found = new Map<string, { message: string; since: string }[]>()
  for (const [key, owner] of owners) found.set(key, await openNotices(ctx, owner, now))
  if (![...found.values()].some((notices) => notices.length > 0)) return carriers.map(() => [])
  const gateways = await ctx.db
    .selectFrom('sip_gateways')
    .select(['sip_gateway_sid', 'voip_carrier_sid', 'ipv4'])
    .where(
      'voip_carrier_sid',
      'in',
      carriers.map((c) => c.voip_carrier_sid),
    )
    .execute()
  return carriers.map(({ voip_carrier_sid, name }, i) => {
    const own = gateways.filter((g) => g.voip_carrier_sid === voip_carrier_sid)
    return (found.get(keys[i]!) ?? []).flatMap((notice) => {
      const named = own.filter(({ ipv4 }) => names(notice.message, ipv4))
      if (named.length === 0 && !names(notice.message, name)) return []
      return [{ ...notice, sip_gateway_sids: named.map((g) => g.sip_gateway_sid) }]
    })
  })
}

/** Notices of the last hour for all carriers that nobody has resolved. */
export async function openNotices(
  { db, stores }: Pick<Context, 'db' | 'stores'>,
  owner: Owner,
  now: number,
) {
  const { data } = await stores.alerts.list(
    { ...owner, alert_type: UNTYPED, from: now - HEALTH_RULES.hours * HOUR_MS, to: now + 1 },
    { limit: MOST, offset: 0 },
  )
  const [newest] = data
  if (!newest) return []
  const markOf = await marksIn(db, owner)
  return [...Map.groupBy(data, ({ message }) => message ?? '')].flatMap(([message, same]) => {
    const times = same.map(({ time }) => Date.parse(time))
    const [last] = times
    const [{ account_sid, time }] = same as [Alert]
    const state = alertState(markOf(account_sid, alertTypeOf(newest)), time, now)
    if (now - last! > HOUR_MS || !isOpenIssue(state)) return []
    // it continues while less than an hour passes between two
    const end = times.findIndex((at, i) => i > 0 && times[i - 1]! - at > HOUR_MS)
    const since = new Date(times.at(end < 0 ? -1 : end - 1)!).toISOString()
    return [{ message, since }]
  })
}
