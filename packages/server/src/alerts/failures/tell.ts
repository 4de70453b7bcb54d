import { type Alert, type DestinationType, failureText } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import { claimDelivery, findSent, HOLD_MS } from '../alert-destinations/delivery-queries.ts'
import { type Row, typesOf } from '../alert-destinations/queries.ts'

const TYPE: DestinationType = 'failure'
/** Older news is not sent, after an outage. */
const MAX_AGE_MS = 24 * HOLD_MS
/** Failures that one message names. */
const MOST = 20

/**
 * Claims a message for each destination that gets failures, at most one an hour: of all that are new or have returned
 * since the last one. Resolves to the number of messages.
 */
export async function tellFailures(db: Db, now: number): Promise<number> {
  const news = await db
    .selectFrom('switchroom_failures')
    .select('failure_sid')
    .where('news_at', '>', now - MAX_AGE_MS)
    .limit(1)
    .executeTakeFirst()
  if (!news) return 0
  const rows = await db
    .selectFrom('switchroom_alert_destinations')
    .selectAll()
    .where('is_active', '=', 1)
    .where('alert_types', 'like', `%"${TYPE}"%`)
    .execute()
  const getting = rows.filter((row) => typesOf(row).includes(TYPE))
  if (getting.length === 0) return 0
  const sent = await findSent(
    db,
    getting.map((row) => row.alert_destination_sid),
    ['', ...getting.flatMap((row) => row.account_sid ?? [])],
  )
  let claims = 0
  for (const row of getting) {
    const last = sent.find(
      (s) => s.alert_destination_sid === row.alert_destination_sid && s.alert_type === TYPE,
    )
    if (last && last.claimed_at > now - HOLD_MS && last.claimed_at <= now) continue
    const since = Math.max(last?.alert_at ?? 0, Math.min(row.active_since, now), now - MAX_AGE_MS)
    const alert = await noticeSince(db, row, since)
    if (alert && (await claimDelivery(db, row.alert_destination_sid, alert, now))) claims++
  }
  return claims
}

/** Notice of failures that a destination's owner has not been told of; undefined if there are none. */
async function noticeSince(
  db: Db,
  { account_sid, service_provider_sid }: Row,
  since: number,
): Promise<Alert | undefined> {
  const failures = await db
    .selectFrom('switchroom_failures')
    .selectAll()
    .where('account_sid', account_sid ? '=' : 'is', account_sid)
    .where(
      'service_provider_sid',
      account_sid ? 'is' : '=',
      account_sid ? null : service_provider_sid,
    )
    .where('news_at', '>', since)
    .where('state', 'in', ['open', 'returned'])
    .orderBy('news_at', 'desc')
    .orderBy('calls', 'desc')
    .limit(MOST + 1)
    .execute()
  const [first] = failures
  if (!first) return undefined
  const texts = failures.slice(0, MOST).map((failure) => {
    const { state, calls, first_at } = failure
    const count = `${Number(calls)} ${Number(calls) === 1 ? 'call' : 'calls'} since ${first_at}`
    return `${state === 'returned' ? 'Returned: ' : ''}${failureText(failure)}: ${count}.`
  })
  const more = failures.length > MOST ? ['And more.'] : []
  const others = [...texts.slice(1), ...more].join('\n')
  return {
    time: new Date(Number(first.news_at)).toISOString(),
    account_sid,
    service_provider_sid: account_sid ? null : service_provider_sid,
    alert_type: TYPE,
    message: texts[0]!,
    detail: others || null,
    target_sid: null,
    vendor: null,
  }
}
