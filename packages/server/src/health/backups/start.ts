import { resolve } from 'node:path'
import { plural, t } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { every } from '../../live/every.ts'
import { type Run, runs } from './records.ts'
import { dueAt, intervalMs } from './timetable.ts'

const PAUSE_MS = 30_000

/** Makes scheduled backups until stopped; `stop` cancels one that is under way. */
export function startBackups(ctx: Context) {
  const { to, schedule } = ctx.config.backups
  if (to === undefined) return { stop: async () => {} }
  const stopping = new AbortController()
  const folder = resolve(to)
  const isDue = (made: Run[], now = Date.now()) => dueAt(schedule, made, folder, now) <= now
  const round = async () => {
    const { makeBackup } = await import('./make.ts')
    const begun = await makeBackup(ctx, isDue, stopping.signal)
    reportBackups(ctx)
    await begun?.done
    if (begun) reportBackups(ctx)
  }
  const onError = (err: unknown) => {
    ctx.log.error({ err }, 'backups cannot be scheduled')
    ctx.health.report(
      'backup',
      'failing',
      t('Backups cannot be scheduled: the data folder is not writable'),
    )
  }
  const rounds = every(PAUSE_MS, round, { onError, atOnce: true })
  return {
    async stop() {
      stopping.abort()
      await rounds.stop()
    },
  }
}

const HOUR_MS = 3_600_000

/** Reports the state of this data folder's backups. */
export function reportBackups(
  { config, health }: Pick<Context, 'config' | 'health'>,
  now = Date.now(),
) {
  const all = runs(config.data, 100, now).filter(({ state }) => state !== 'running')
  const [latest] = all
  const good = all.find(({ state }) => state === 'done')
  if (good?.ended_at) health.measure('backup_timestamp_seconds', good.ended_at / 1_000)
  if (good?.bytes) health.measure('backup_bytes', good.bytes)
  const ago = good?.ended_at
    ? t('the last one is {age} old', { age: hoursAgo(now - good.ended_at) })
    : t('there is none')
  const isOld = !good?.ended_at || now - good.ended_at > 2 * intervalMs(config.backups.schedule)
  if (latest?.state === 'failed')
    health.report(
      'backup',
      isOld ? 'failing' : 'degraded',
      t('The last backup failed; {ago}. {sentence}', { ago, sentence: latest.sentence }),
    )
  else if (good?.sentence) health.report('backup', 'degraded', good.sentence)
  else if (good) {
    const sentence =
      config.database?.kind === 'mysql'
        ? t('Verified, without the database; {ago}', { ago })
        : t('Verified; {ago}', { ago })
    health.report('backup', isOld ? 'failing' : 'ok', sentence)
  }
}

function hoursAgo(ms: number) {
  return ms < 2 * HOUR_MS
    ? plural(Math.round(ms / 60_000), '1 minute|{n} minutes')
    : plural(Math.round(ms / HOUR_MS), '1 hour|{n} hours')
}
