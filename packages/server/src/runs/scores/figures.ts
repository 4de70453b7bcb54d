import type { ScoreCounts, ScoreFigures } from '@switchroom/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { ownedBy, type Whose } from '../../http/tenancy.ts'
import type { Span } from '../../stores/calls/store.ts'
import { slots } from '../../stores/voice/figures.ts'

const MAX_ROWS = 500

type Within = { owner: Whose; span: Span; application_sid?: string | undefined }

const iso = (ms: number) => new Date(ms).toISOString()

const scored = (db: Db, { owner, span, application_sid }: Within) =>
  db
    .selectFrom('switchroom_call_scores')
    .where('result', 'is not', null)
    .where('called_at', '>=', iso(span.from))
    .where('called_at', '<', iso(span.to))
    .where(ownedBy('switchroom_call_scores', owner))
    .$if(application_sid !== undefined, (q) => q.where('application_sid', '=', application_sid!))

const having = (result: 'passed' | 'failed' | 'unsure') =>
  sql<number>`sum(case when result = ${result} then 1 else 0 end)`.as(result)

const NONE: ScoreCounts = { scored: 0, passed: 0, failed: 0, unsure: 0 }

const sum = (a: ScoreCounts, b: ScoreCounts): ScoreCounts => ({
  scored: a.scored + b.scored,
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  unsure: a.unsure + b.unsure,
})

/** Counts by hour, application and version: what all others are sums of. */
async function rowsOf(db: Db, within: Within) {
  const hour = sql<string>`substr(called_at, 1, 13)`
  const rows = await scored(db, within)
    .select([
      'application_sid',
      'version',
      hour.as('hour'),
      sql<number>`count(*)`.as('scored'),
      having('passed'),
      having('failed'),
      having('unsure'),
      sql<number>`sum(tokens)`.as('tokens'),
    ])
    .groupBy(['application_sid', 'version', hour])
    .execute()
  return rows.map(({ application_sid, version, hour, tokens, ...counts }) => ({
    application_sid,
    version,
    hour: Date.parse(`${hour}:00:00Z`),
    tokens: Number(tokens),
    counts: {
      scored: Number(counts.scored),
      passed: Number(counts.passed),
      failed: Number(counts.failed),
      unsure: Number(counts.unsure),
    },
  }))
}

async function itemsOf(db: Db, within: Within): Promise<ScoreFigures['items']> {
  const rows = await scored(db, within)
    .innerJoin('switchroom_score_items as i', (join) =>
      join
        .onRef('i.account_sid', '=', 'switchroom_call_scores.account_sid')
        .onRef('i.call_sid', '=', 'switchroom_call_scores.call_sid'),
    )
    .select([
      'i.kind',
      'i.name',
      sql<number>`sum(case when i.is_passed is null then 0 else 1 end)`.as('judged'),
      sql<number>`sum(case when i.is_passed = 1 then 1 else 0 end)`.as('passed'),
      sql<number>`sum(case when i.is_passed is null then 1 else 0 end)`.as('unsure'),
      sql<number>`sum(coalesce(i.score, 0))`.as('points'),
      sql<number>`sum(case when i.score is null then 0 else 1 end)`.as('given'),
      sql<number>`min(i.number)`.as('place'),
    ])
    .groupBy(['i.kind', 'i.name'])
    .orderBy('i.kind', 'desc')
    .orderBy('place')
    .orderBy('i.name')
    .limit(MAX_ROWS)
    .execute()
  return rows.map(({ kind, name, judged, passed, unsure, points, given }) => ({
    ...{ kind, name, judged: Number(judged), passed: Number(passed), unsure: Number(unsure) },
    mean: Number(given) === 0 ? null : Number(points) / Number(given),
  }))
}

/** Figures of scored calls, by when they began. */
export async function figuresOf(db: Db, within: Within, time_zone = 'UTC'): Promise<ScoreFigures> {
  const { span } = within
  const rows = await rowsOf(db, within)
  const slotOf = slots(span, time_zone)
  const times = new Map<number, { until: number; counts: ScoreCounts }>()
  const applications = new Map<string, ScoreCounts>()
  const versions = new Map<
    string,
    { application_sid: string; version: string; counts: ScoreCounts }
  >()
  let total = NONE
  let tokens = 0
  for (const row of rows) {
    const [from, until] = slotOf(row.hour)
    times.set(from, { until, counts: sum(times.get(from)?.counts ?? NONE, row.counts) })
    const { application_sid, version } = row
    if (version !== null) {
      const key = `${application_sid} ${version}`
      const counts = sum(versions.get(key)?.counts ?? NONE, row.counts)
      versions.set(key, { application_sid, version, counts })
    }
    applications.set(application_sid, sum(applications.get(application_sid) ?? NONE, row.counts))
    total = sum(total, row.counts)
    tokens += row.tokens
  }
  return {
    ...total,
    tokens,
    from: iso(span.from),
    until: iso(span.to),
    times: [...times]
      .sort(([a], [b]) => a - b)
      .map(([from, { until, counts }]) => ({
        time: iso(Math.max(from, span.from)),
        until: iso(Math.min(until, span.to)),
        ...counts,
      })),
    applications: [...applications]
      .map(([application_sid, counts]) => ({ application_sid, ...counts }))
      .sort(
        (a, b) => b.scored - a.scored || a.application_sid.localeCompare(b.application_sid, 'en'),
      )
      .slice(0, MAX_ROWS),
    versions: [...versions.values()]
      .map(({ application_sid, version, counts }) => ({
        ...{ application_sid, version: version || null },
        ...counts,
      }))
      .sort(
        (a, b) =>
          b.scored - a.scored ||
          a.application_sid.localeCompare(b.application_sid, 'en') ||
          (a.version ?? '').localeCompare(b.version ?? '', 'en'),
      )
      .slice(0, MAX_ROWS),
    items: await itemsOf(db, within),
  }
}
