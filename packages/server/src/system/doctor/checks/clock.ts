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
        const began = Date.now()
        // a server that is away has a check of its own
        const theirs = await read().catch(() => undefined)
        if (theirs === undefined || Number.isNaN(theirs)) return []
        // they read their clock somewhere between
        return [{ of, seconds: (began + Date.now()) / 2_000 - theirs }]
      }),
    )
    return clockFinding(offsets.flat())
  },
}

/** Each reads a clock, in seconds since 1970. */
function sourcesOf({ config, database, redis }: Site) {
  const sources: { of: string; read: () => Promise<number | undefined> }[] = []
  // a file has the clock of this machine
  if (config.database)
    sources.push({
      of: t('the database'),
      async read() {
        const opened = await database()
        if ('failure' in opened || kindOf(opened.it) === 'sqlite') return undefined
        const now = sql<{ at: number }>`select unix_timestamp(now(6)) as at`
        return Number((await now.execute(opened.it)).rows[0]!.at)
      },
    })
  if (redis)
    sources.push({
      of: t('Redis'),
      async read() {
        const opened = await redis()
        if ('failure' in opened) return undefined
        const [seconds, micros] = await opened.it.time()
        return Number(seconds) + Number(micros) / 1e6
      },
    })
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
    if (url) sources.push({ of, read: () => dateOf(url) })
  return sources
}

/** The header has whole seconds, cut off. */
async function dateOf(url: string) {
  const signal = AbortSignal.timeout(LIMIT_MS)
  const answer = await fetch(url, { redirect: 'manual', signal })
  await answer.body?.cancel()
  return Date.parse(answer.headers.get('date') ?? '') / 1_000 + 0.5
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
