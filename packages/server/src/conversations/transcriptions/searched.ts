import type { Call } from '@switchroom/contract'
import { errorText } from '../../errors/members.ts'
import type { Context } from '../../http/context.ts'
import { type CallKey, forget, view } from './queries.ts'

/** Has a call found by what is stored of its transcription now; by nothing once that is deleted. Does not throw. */
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

/** Deletes what was heard in the recording of a call, which is not found by it any more. */
export async function removeWords(
  ctx: Pick<Context, 'db' | 'stores' | 'log'>,
  key: CallKey,
  call: Call,
) {
  await forget(ctx.db, key)
  await findByWords(ctx, key, call)
}
