import type { Score, SimulatedCaller } from '@switchroom/contract'
import { chat, type Model, mostTokens } from '../../applications/language-model/chat.ts'
import type { Context } from '../../http/context.ts'
import { STOPPED } from '../runs/call.ts'
import { RunOver } from '../runs/limits.ts'
import type { Simulation } from '../runs/play.ts'
import { type Ask, outcomeOf, type Played, playCaller } from './play-caller.ts'
import * as callers from './queries.ts'
import { scoresOf } from './score.ts'

/** A conversation of a simulated caller, to be played as a run. */
export function simulate(
  { db, log, outbound }: Pick<Context, 'db' | 'log' | 'outbound'>,
  caller: SimulatedCaller,
  model: Model,
  place: { number: number; of: number },
): Simulation {
  const { name: caller_name, goal, max_tokens, simulated_caller_sid, criteria } = caller
  return {
    insert: (tx, run_sid) =>
      callers.insertRun(tx, run_sid, simulated_caller_sid, {
        ...{ caller_name, goal, max_tokens },
        ...place,
      }),
    begin({ run_sid, steps, note, stop }) {
      const ask: Ask = (messages, max) =>
        chat(outbound, model, messages, max, stop).catch((e: unknown) => {
          if (!stop.aborted) throw e
          // the model may have read it already
          result.tokens += mostTokens(messages, 0)
          throw new RunOver(STOPPED)
        })
      // what it costs is shown while it goes on; the end writes it again
      const told = ({ turns, tokens }: Played) =>
        void callers
          .updateRun(db, run_sid, { turns, tokens })
          .catch((err: unknown) => log.warn({ err, run_sid }, 'tokens cannot be kept'))
      const { caller: played, played: result } = playCaller(
        caller,
        place,
        ask,
        { steps, note },
        told,
      )
      return {
        caller: played,
        async end() {
          const { turns, reason, is_reached } = result
          const outcome = outcomeOf(result, steps, stop.aborted)
          const scored =
            criteria.length > 0 && !stop.aborted
              ? await scoresOf(steps, caller, ask, max_tokens - result.tokens).catch(
                  (e: unknown) => {
                    if (!stop.aborted) throw e
                  },
                )
              : undefined
          await callers.updateRun(db, run_sid, {
            ...{ turns, reason, outcome },
            tokens: result.tokens + (scored?.tokens ?? 0),
            is_reached: is_reached ? 1 : 0,
            scores: scored ? JSON.stringify(scored.scores satisfies Score[]) : null,
          })
        },
      }
    },
  }
}
