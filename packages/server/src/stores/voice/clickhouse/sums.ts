import { HOURLY_MAX_MS, hoursOfDay, type VoiceFigures, zoneClock } from '@switchroom/contract'
import type { Owner, Span } from '../../calls/store.ts'
import type { ClickHouse } from '../../clickhouse/client.ts'
import {
  addClause,
  type Conditions,
  SEARCH_SECONDS,
  UNMERGED,
} from '../../clickhouse/conditions.ts'
import { OF_HOUR, planOf, SUMMING, summed, unsummed } from '../../clickhouse/hours.ts'
import type { Summing } from '../../clickhouse/keep-sums.ts'
import { voiceFigures } from '../figures.ts'
import type { Sum, VoiceOptions } from '../store.ts'

/** The most rows of a table of figures. */
const MAX_KEYS = 500

const COUNTED = 'hour, kind, key, measure, value'
/**
 * Counts of calls, one by one. `key`: conditions on key columns, which are equal in all writes of a call, so that no
 * others are read; `where`: further conditions.
 */
const countsOf = (key: string, where: readonly string[] = []) =>
  `SELECT * FROM (SELECT service_provider_sid, account_sid, ifNull(application_sid, '') AS application,
     toStartOfHour(toDateTime(at, 'UTC')) AS hour, kind, key, measure, value, n FROM voice_calls
     PREWHERE ${key} WHERE ${['gone = 0', ...where].join(' AND ')})
   ARRAY JOIN kind, key, measure, value, n`

/** Sums the counts of an hour for every account and provider, each for all calls and for each application's. */
const SUM_VOICE = `INSERT INTO voice_sums
  SELECT level.1, level.2, level.3, kind, hour, key, {gen:UInt64}, groupArray(measure), groupArray(value), groupArray(total) FROM
    (SELECT level, ${COUNTED}, sum(n) AS total FROM
      (SELECT ${COUNTED}, sum(n) AS n, arrayJoin(arrayFilter(level -> level.1 != '' OR level.2 != '', [
          (toString(service_provider_sid), '', ''), ('', toString(account_sid), ''),
          (if(application = '', '', toString(service_provider_sid)), '', toString(application)),
          ('', if(application = '', '', toString(account_sid)), toString(application))])) AS level
       FROM (${countsOf(OF_HOUR)})
       GROUP BY service_provider_sid, account_sid, application, ${COUNTED})
     WHERE level.3 = '' OR kind != 'application'
     GROUP BY level, ${COUNTED})
  GROUP BY level, kind, hour, key SETTINGS ${SUMMING}`

export const VOICE_SUMS: Summing = {
  of: 'voice',
  name: 'Summing conversations in ClickHouse',
  insert: SUM_VOICE,
}

/** Size that ranks the keys of each kind. */
const SIZE = `sumIf(n, measure = transform(kind, ['application', 'version', 'recognizer', 'voice', 'vendor'], ['calls', 'calls', 'turns', 'prompts', 'requests'], ''))`

type Row = {
  kind: Sum['by']
  key: string
  measures: Sum['measure'][]
  values: number[]
  ats: number[]
  ns: number[]
}

/** The figures of an account, or else a provider. `kept`: the part of the span in which calls are kept. */
export async function figures(
  db: ClickHouse,
  owner: Owner,
  { span, kept }: { span: Span; kept: Span },
  { application_sid, time_zone }: VoiceOptions,
): Promise<VoiceFigures> {
  const plan = await planOf(db, 'voice', kept)
  const of: Record<string, string> =
    owner.account_sid === undefined
      ? { service_provider_sid: owner.service_provider_sid ?? '' }
      : { account_sid: owner.account_sid }
  const equal = (to: Conditions, values: Record<string, string>) => {
    for (const [name, value] of Object.entries(values))
      to.sql.push(`${name} = ${to.bind('String', value)}`)
  }
  const isShown = application_sid === undefined ? [] : [`kind != 'application'`]
  const sources: string[] = []
  const params: Conditions['params'] = {}
  if (plan.hours.first < plan.hours.end) {
    const sums = summed(plan)
    const whole = { service_provider_sid: '', account_sid: '', application_sid: '' }
    equal(sums, { ...whole, ...of, ...(application_sid !== undefined && { application_sid }) })
    sums.sql.push(...isShown)
    sources.push(
      `SELECT ${COUNTED}, n FROM (SELECT hour, kind, key, measure, value, n FROM voice_sums ${sums.where()} ${UNMERGED})
       ARRAY JOIN measure, value, n`,
    )
    Object.assign(params, sums.params)
  }
  if (plan.raw.length > 0) {
    const own = unsummed(plan)
    equal(own, of)
    const calls = { sql: [] as string[], params }
    addClause(calls, own)
    const isOf = application_sid === undefined ? [] : ['application_sid = {application:String}']
    if (application_sid !== undefined) params.application = application_sid
    const shown = isShown.length > 0 ? `WHERE ${isShown.join()}` : ''
    sources.push(`SELECT ${COUNTED}, n FROM (${countsOf(calls.sql.join(' AND '), isOf)}) ${shown}`)
  }
  if (sources.length === 0) return voiceFigures([], span, time_zone)
  const rows = await db.rows<Row>(
    `SELECT kind, key, groupArray(measure) AS measures, groupArray(value) AS values, groupArray(at) AS ats, groupArray(n) AS ns FROM
      (SELECT kind, key, measure, value, if(kind = 'all', ${slotOf(kept, time_zone)}, 0) AS at, sum(n) AS n
       FROM (${sources.join(' UNION ALL ')}) GROUP BY kind, key, measure, value, at)
     GROUP BY kind, key ORDER BY ${SIZE} DESC, key LIMIT ${MAX_KEYS} BY kind`,
    params,
    SEARCH_SECONDS,
  )
  return voiceFigures(sumsIn(rows), span, time_zone)
}

function* sumsIn(rows: readonly Row[]): Generator<Sum> {
  for (const { kind: by, key, measures, values, ats, ns } of rows)
    for (const [i, measure] of measures.entries()) {
      const at = by === 'all' ? ats[i]! * 1_000 : undefined
      yield { by, key, measure, value: values[i]!, n: ns[i]!, at }
    }
}

/** The hour, or the beginning of its day in a long span, in seconds since 1970. */
function slotOf({ from, to }: Span, time_zone = 'UTC') {
  if (to - from <= HOURLY_MAX_MS) return 'toUnixTimestamp(hour)'
  const clock = zoneClock(time_zone)
  const days: number[] = []
  for (let at = from; at < to; ) {
    const [begin, end] = hoursOfDay(clock, at)
    days.push(begin / 1_000)
    at = end
  }
  return `roundDown(toUnixTimestamp(hour), [${days.join()}])`
}
