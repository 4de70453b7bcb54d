import type { Context } from '../../http/context.ts'
import { every } from '../../live/every.ts'
import type { VersionsOf } from '../../stores/voice/store.ts'
import { lateVersions } from '../transcript-settings/kept-words.ts'

const LOOK_MS = 20_000
/** Silence after which a session is taken to be over. */
const QUIET_MS = 30_000
/** A call whose record has not come by then has none. */
const GIVE_UP_MS = 3_600_000
const FORGET_MS = 15 * 60_000
const DAY_MS = 86_400_000

/** Counts what model sessions used whose events came before this time, and makes their calls searchable by their words. */
export async function takeInSessions(
  ctx: Context,
  now = Date.now(),
  versionsOf: VersionsOf = lateVersions(ctx),
) {
  const sessions = await import('./queries.ts')
  const { countUse, readUse } = await import('./use.ts')
  for (const { seen_at, ...key } of await sessions.unfound(ctx.db, now - QUIET_MS)) {
    const { account_sid, call_sid } = key
    const call = await ctx.stores.calls.find({ account_sid }, { call_sid })
    if (!call && now - Number(seen_at) < GIVE_UP_MS) continue
    const use = call && (await readUse(ctx, versionsOf, { key, call, now }))
    if (use === 'late') continue
    const { addWords } = await import('../transcriptions/searched.ts')
    if (call) await addWords(ctx, key, call)
    await countUse(ctx.db, { ...key, seen_at }, use)
  }
}

/** Deletes events as old as the traces that they belong to may be. */
export async function forgetModelEvents({ db, config }: Context, now = Date.now()) {
  const { forgetBefore } = await import('./queries.ts')
  const { days } = 'days' in config.traces ? config.traces : config.recordings
  await forgetBefore(db, now - days * DAY_MS)
}

/** Counts what events of model sessions tell, makes it searchable, and deletes old ones, until stopped. */
export function startModelSessions(ctx: Context) {
  const versionsOf = lateVersions(ctx)
  const onError = (err: unknown) =>
    ctx.log.error({ err }, 'events of model sessions cannot be looked after')
  const loops = [
    every(LOOK_MS, () => takeInSessions(ctx, Date.now(), versionsOf), { onError }),
    every(FORGET_MS, () => forgetModelEvents(ctx), { onError }),
  ]
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) }
}
