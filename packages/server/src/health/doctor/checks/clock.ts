import { t } from '@switchroom/contract'
import { sql } from 'kysely'
import { kindOf } from '../../../db/open.ts'
import { CLOCK_DEGRADED_S, CLOCK_FAILING_S } from '../../system-health/checks/data.ts'
import type { Check } from '../check.ts'
import { type Finding, notChecked, ok, problem, warning } from '../finding.ts'
import type { Site } from '../site.ts'

const LIMIT_MS = 3_000

/** How far the clock of this machine is ahead of another's. */
export type Offset = { of: string; seconds: number }

/** The clock of this machine beside those of the servers it works with. */
export const clock: Check = {
  name: 'clock',
  async run(site) {
    const offsets = await Promise.all(
      sourcesOf(site).map(async ({ of, read }): Promise<Offset[]> => {
        // a server that is away has a check of its own
        const reading = await read().catch(() => undefined)
        const seconds = reading && aheadOf(reading)
        return seconds === undefined || Number.isNaN(seconds) ? [] : [{ of, seconds }]
      }),
    )
    return clockFinding(offsets.flat())
  },
}

/** What another clock showed at the earliest and latest while this one went on, in seconds since 1970. */
export type Reading = { began: number; ended: number; earliest: number; latest: number }

/** How far this clock is ahead for certain: what was waited for is not counted. */
export const aheadOf = ({ began, ended, earliest, latest }: Reading) =>
  Math.max(began - latest, Math.min(0, ended - earliest))

/** `within`: how much later it may be than it shows. */
async function readingOf(read: () => Promise<number>, within = 0): Promise<Reading> {
  const began = Date.now() / 1_000
  const earliest = await read()
  return { began, ended: Date.now() / 1_000, earliest, latest: earliest + within }
}

function sourcesOf({ config, database, redis }: Site) {
  const sources: { of: string; read: () => Promise<Reading | undefined> }[] = []
  // a file has the clock of this machine
  if (config.database)
    sources.push({
      of: t('the database'),
      async read() {
        const opened = await database()
        if ('failure' in opened || kindOf(opened.it) === 'sqlite') return undefined
        const now = sql<{ at: number }>`select unix_timestamp(now(6)) as at`
        return readingOf(async () => Number((await now.execute(opened.it)).rows[0]!.at))
      },
    })
  if (redis)
    sources.push({
      of: t('Redis'),
      async read() {
        const opened = await redis()
        if ('failure' in opened) return undefined
        return readingOf(async () => {
          const [seconds, micros] = await opened.it.time()
          return Number(seconds) + Number(micros) / 1e6
        })
      },
    })
  // the header has whole seconds, cut off
  for (const [of, url] of [
    ['InfluxDB', config.telemetry.kind === 'influx' ? `${config.telemetry.url}/ping` : undefined],
    [
      'ClickHouse',
      config.telemetry.kind === 'clickhouse'
        ? `${config.telemetry.clickhouse.url.replace(/\/$/, '')}/ping`
        : undefined,
    ],
    [t('Jaeger'), config.traces.kind === 'jaeger' ? config.traces.url : undefined],
    [t('Homer'), config.captures.kind === 'homer' ? config.captures.url : undefined],
  ] as const)
    if (url) sources.push({ of, read: () => readingOf(() => dateOf(url), 1) })
  return sources
}

async function dateOf(url: string) {
  const signal = AbortSignal.timeout(LIMIT_MS)
  const answer = await fetch(url, { redirect: 'manual', signal })
  await answer.body?.cancel()
  return Date.parse(answer.headers.get('date') ?? '') / 1_000
}

const CONSEQUENCE = t('One-time passwords, sessions and the order of records depend on it.')

export function clockFinding(offsets: Offset[]): Finding {
  const off = offsets.filter(({ seconds }) => Math.abs(seconds) >= CLOCK_DEGRADED_S)
  if (offsets.length === 0) return notChecked(t('No other clock is known.'))
  const agreeing = offsets.length - off.length
  if (off.length === 0)
    return ok(
      t('Agrees with that of {offsets}.', { offsets: offsets.map(({ of }) => of).join(', ') }),
    )
  const list = off.map(inWords).join(', ')
  const worst = Math.max(...off.map(({ seconds }) => Math.abs(seconds)))
  const finding = worst >= CLOCK_FAILING_S ? problem : warning
  const whose =
    agreeing > 0
      ? off.map(({ of }) => of).join(', ')
      : t('this machine, or of {off}', { off: off.map(({ of }) => of).join(', ') })
  return finding(
    t('This machine’s clock is {offsets}. {consequence}', {
      offsets: list,
      consequence: CONSEQUENCE,
    }),
    t('Synchronize the clock of {whose} with NTP (chrony or systemd-timesyncd).', { whose }),
  )
}

function inWords({ of, seconds: ahead }: Offset) {
  const seconds = Math.round(Math.abs(ahead))
  return ahead > 0
    ? t('{seconds} seconds ahead of that of {of}', { seconds, of })
    : t('{seconds} seconds behind that of {of}', { seconds, of })
}
