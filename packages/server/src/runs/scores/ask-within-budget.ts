import type { ScoreCard } from '@switchroom/contract'
import { chat, mostTokens } from '../../applications/language-model/chat.ts'
import { modelOf } from '../../applications/language-model/model.ts'
import type { Context } from '../../http/context.ts'
import { Refused } from '../../speech/protocol.ts'
import type { Ask } from '../simulated-callers/play-caller.ts'
import { correct, countFailure, takeTokens } from './budget.ts'

export type Scoring = Pick<
  Context,
  'db' | 'box' | 'stores' | 'words' | 'outbound' | 'log' | 'config'
>
/** The card of an application, and the day whose budget is spent. */
export type Judging = {
  card: ScoreCard & { account_sid: string }
  day: string
  now: number
  stop: AbortSignal
}

/** The request does not fit into what is left of the day's budget. */
export class Spent extends Error {
  override name = 'Spent'
}

/** Asks the account's model within the day's budget; undefined without one. */
export async function askOf(
  ctx: Scoring,
  card: Judging['card'],
  { day, now, stop }: Pick<Judging, 'day' | 'now' | 'stop'>,
): Promise<Ask | undefined> {
  const { db } = ctx
  const { account_sid, application_sid, criteria } = card
  if (criteria.length === 0) return undefined
  const model = await modelOf(ctx, account_sid).catch((e: unknown) => {
    if (!(e instanceof Refused)) throw e
    return e
  })
  if (!model) return undefined
  return async (messages, max_tokens) => {
    if (model instanceof Refused) {
      await countFailure(db, application_sid, now)
      throw model
    }
    const most = mostTokens(messages, max_tokens)
    if (!(await takeTokens(db, application_sid, most, card, day)))
      throw new Spent('the budget of the day is used up')
    try {
      const said = await chat(ctx.outbound, model, messages, max_tokens, stop)
      await correct(db, application_sid, said.tokens - most, day)
      return said
    } catch (e) {
      if (e instanceof Refused) await countFailure(db, application_sid, now)
      throw e
    }
  }
}
