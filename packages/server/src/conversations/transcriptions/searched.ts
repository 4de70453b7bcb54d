import type { Call } from '@switchroom/contract'
import { errorText } from '../../errors/members.ts'
import type { Context } from '../../http/context.ts'
import { spokenTextOf } from '../model-sessions/spoken-text.ts'
import { type CallKey, forget, view } from './queries.ts'

/**
 * Makes a call searchable by its stored transcription, until that is deleted, and by the text of
 * its model sessions. Does not throw.
 */
export async function findByWords(
  ctx: Pick<Context, 'db' | 'stores' | 'log'>,
  key: CallKey,
  call: Call,
) {
  try {
    await addWords(ctx, key, call)
  } catch (e) {
    // the store's own message may quote words
    ctx.log.error({ ...key, error: errorText(e, 'name') }, 'a transcription cannot be searched')
  }
}

/** The same. May throw. */
export async function addWords(ctx: Pick<Context, 'db' | 'stores'>, key: CallKey, call: Call) {
  const { parts = [] } = (await view(ctx.db, key)) ?? {}
  const texts = parts.flatMap(({ text }) => text || [])
  const spoken = await spokenTextOf(ctx.db, key, call)
  await ctx.stores.voice?.addRecorded(call, [...texts, ...spoken])
}

/** Deletes the transcription of a call's recording, by which the call is then no longer found. */
export async function removeWords(
  ctx: Pick<Context, 'db' | 'stores' | 'log'>,
  key: CallKey,
  call: Call,
) {
  await forget(ctx.db, key)
  await findByWords(ctx, key, call)
}
