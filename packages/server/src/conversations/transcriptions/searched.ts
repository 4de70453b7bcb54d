import type { Call } from '@switchroom/contract'
import { errorText } from '../../errors/members.ts'
import type { Context } from '../../http/context.ts'
import { type CallKey, forget, view } from './queries.ts'

/** Makes a call searchable by its stored transcription; no longer once that is deleted. Does not throw. */
export async function findByWords(
  ctx: Pick<Context, 'db' | 'stores' | 'log'>,
  key: CallKey,
  call: Call,
) {
  try {
    const { parts = [] } = (await view(ctx.db, key)) ?? {}
    const texts = parts.flatMap(({ text }) => text || [])
    await ctx.stores.voice?.addRecorded(call, texts)
  } catch (e) {
    // the store's own message may quote words
    ctx.log.error({ ...key, error: errorText(e, 'name') }, 'a transcription cannot be searched')
  }
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
