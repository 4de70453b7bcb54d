import { SPEECH_CALLS_PER_MINUTE, t } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Live } from '../../live/live.ts'

const callerOf = (scope: Scope) => scope.user_sid ?? scope.api_key_sid ?? scope.role

/** Rate limit for calls that cost money, over all processes. Throws 429 above the limit per minute. */
export async function countCall(live: Live, scope: Scope, now = Date.now()) {
  const minute = Math.floor(now / 60_000)
  const key = `switchroom:speech:${callerOf(scope)}:${minute}`
  if ((await live.increment(key, 60)) <= SPEECH_CALLS_PER_MINUTE) return
  throw new Failure('too_many', t('Too many speech tests. Try again in a minute.'), {
    retry_after: Math.ceil(((minute + 1) * 60_000 - now) / 1_000),
  })
}

/** Concurrent tests per caller in this process, so that a list that tests all its rows does not block others. */
const AT_ONCE = 8

/** Runs `work`. Throws 429 if the caller has too many tests running. */
export async function oneOfFew<T>(
  { memory: { waiting } }: Pick<Context, 'memory'>,
  scope: Scope,
  work: () => Promise<T>,
): Promise<T> {
  const caller = callerOf(scope)
  const running = waiting.get(caller) ?? 0
  if (running >= AT_ONCE)
    throw new Failure('too_many', t('Too many speech credentials are being tested at once.'), {
      retry_after: 2,
    })
  waiting.set(caller, running + 1)
  try {
    return await work()
  } finally {
    const left = waiting.get(caller)! - 1
    if (left > 0) waiting.set(caller, left)
    else waiting.delete(caller)
  }
}
