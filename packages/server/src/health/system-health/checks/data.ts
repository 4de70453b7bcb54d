import { access, constants, statfs } from 'node:fs/promises'
import { t } from '@switchroom/contract'
import { sql } from 'kysely'
import { kindOf } from '../../../db/open.ts'
import { unknownMigrations } from '../../../db/prepare.ts'
import { errorMessage } from '../../../errors/members.ts'
import type { Context } from '../../../http/context.ts'
import { unlessDatabaseIsDown } from '../../../http/failing-part.ts'
import type { Replica } from '../../../live/replica.ts'
import type { Finding } from '../../../parts/registry.ts'

const GB = 1e9
/** The state by free space: the smaller of a share and a size, so that large disks do not warn early. */
const LITTLE = { share: 0.1, bytes: 10 * GB }
const TOO_LITTLE = { share: 0.02, bytes: GB }
/** Writing needs this much on any disk. */
const LEAST_BYTES = 100e6

/** Clocks this far apart make one-time passwords, tokens and the order of entries unreliable. */
export const CLOCK_DEGRADED_S = 2
export const CLOCK_FAILING_S = 30

const PAUSE_MS = 5_000

async function timed(work: () => Promise<unknown>) {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}

const answered = (seconds: number) =>
  t('Answers in {milliseconds} ms', { milliseconds: Math.max(1, Math.round(seconds * 1_000)) })

/** The database, Redis, the disk, and the clock. */
export function watchData(ctx: Context) {
  const { config, health } = ctx
  const kind = kindOf(ctx.db)
  health.watch({
    part: 'database',
    every_ms: PAUSE_MS,
    async run() {
      const seconds = await timed(async () => {
        await sql`select 1`.execute(ctx.db)
        // sessions are there as well
        if (!config.redis) await ctx.live.ping()
      })
      health.measure('database_answer_seconds', seconds)
      return { state: 'ok', sentence: answered(seconds) }
    },
  })
  const { replica } = ctx
  if (replica)
    health.watch({
      part: 'replica',
      every_ms: PAUSE_MS,
      run: async () => replicaState(ctx, replica),
    })
  if (config.redis)
    health.watch({
      part: 'redis',
      every_ms: PAUSE_MS,
      async run() {
        const seconds = await timed(() => ctx.live.ping())
        health.measure('redis_answer_seconds', seconds)
        return { state: 'ok', sentence: answered(seconds) }
      },
    })
  health.watch({ part: 'disk', every_ms: 30_000, run: () => diskState(ctx) })
  health.watch({
    part: 'migrations',
    every_ms: 60_000,
    run: unlessDatabaseIsDown(health, async () => {
      const [unknown] = await unknownMigrations(ctx.db)
      if (unknown === undefined) return { state: 'ok', sentence: t('All applied') }
      return {
        state: 'degraded',
        sentence: t(
          'A newer version of Switchroom has changed the database (migration {unknown}). Update this server',
          { unknown },
        ),
      }
    }),
  })
  // a file's clock is this server's own
  if (kind === 'mysql')
    health.watch({
      part: 'clock',
      every_ms: 60_000,
      run: unlessDatabaseIsDown(health, () => clockState(ctx)),
    })
}

async function diskState({ config, health }: Context): Promise<Finding> {
  await access(config.data, constants.W_OK)
  const { bavail, blocks, bsize } = await statfs(config.data)
  const [free, size] = [bavail * bsize, blocks * bsize]
  health.measure('disk_free_bytes', free)
  health.measure('disk_size_bytes', size)
  return diskFinding(free, size)
}

/** How much is free, as in `1.5 GB (10%)`. */
export function freeSpace(free: number, size: number) {
  const share = size > 0 ? ` (${Math.round((free / size) * 100)}%)` : ''
  const amount = free < GB ? `${Math.round(free / 1e6)} MB` : `${(free / GB).toFixed(1)} GB`
  return `${amount}${share}`
}

export function diskFinding(free: number, size: number): Finding {
  const isBelow = (limit: typeof LITTLE) => free < Math.min(size * limit.share, limit.bytes)
  const state =
    isBelow(TOO_LITTLE) || free < LEAST_BYTES ? 'failing' : isBelow(LITTLE) ? 'degraded' : 'ok'
  const amount = freeSpace(free, size)
  return { state, sentence: t('{amount} free for the data folder', { amount }) }
}

async function clockState({ db, health }: Context): Promise<Finding> {
  const began = Date.now()
  const { rows } = await sql<{ at: number }>`select unix_timestamp(now(6)) as at`.execute(db)
  // the database read its clock somewhere between
  const ours = (began + Date.now()) / 2_000
  const ahead = ours - Number(rows[0]!.at)
  health.measure('clock_offset_seconds', ahead)
  return clockFinding(ahead)
}

export function clockFinding(ahead: number): Finding {
  const off = Math.abs(ahead)
  if (off < CLOCK_DEGRADED_S)
    return { state: 'ok', sentence: t('Agrees with the database’s to two seconds') }
  const seconds = Math.round(off)
  return {
    state: off < CLOCK_FAILING_S ? 'degraded' : 'failing',
    sentence:
      ahead > 0
        ? t(
            'This server’s clock is {seconds} seconds ahead of the database’s. Synchronize both (NTP)',
            { seconds },
          )
        : t(
            'This server’s clock is {seconds} seconds behind the database’s. Synchronize both (NTP)',
            { seconds },
          ),
  }
}

/** While it is not asked, lists are read from the database. */
function replicaState({ health }: Context, replica: Replica): Finding | undefined {
  const state = replica.state()
  if (!state) return undefined
  if ('problem' in state)
    return {
      state: 'degraded',
      sentence: t('Lists are read from the database instead: {problem}', {
        problem: errorMessage(state.problem),
      }),
    }
  const { behind_ms } = state
  health.measure('replica_behind_seconds', behind_ms / 1_000)
  return {
    state: 'ok',
    sentence: t('{milliseconds} ms behind the database', { milliseconds: Math.round(behind_ms) }),
  }
}
