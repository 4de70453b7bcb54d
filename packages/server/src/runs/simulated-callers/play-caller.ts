import {
  type Question,
  type RunOutcome,
  type RunStep,
  type SimulatedCaller,
  t,
} from '@switchroom/contract'
import { type Message, mostTokens, type Said } from '../../applications/language-model/chat.ts'
import { Refused } from '../../speech/protocol.ts'
import type { Caller } from '../runs/call.ts'
import { RunOver } from '../runs/limits.ts'
import type { SimulatedRun } from '../runs/play.ts'
import { type Action, actionIn, answerOf, usualAnswer } from './action.ts'
import { AGAIN, callerPrompt, heardOf, heardPrompt } from './prompts.ts'
import { isInOtherScript } from './script.ts'

const ANSWER_TOKENS = 300
/** Length of the earlier conversation in a prompt, in characters. */
const HISTORY_CHARS = 24_000
/** Answers that need no words of the caller. */
const MOST_USUAL = 50

export type Ask = (messages: readonly Message[], max_tokens: number) => Promise<Said>
type Of = Pick<
  SimulatedCaller,
  'persona' | 'goal' | 'language' | 'max_turns' | 'max_minutes' | 'max_tokens'
>
export type Played = {
  turns: number
  tokens: number
  is_reached: boolean
  /** The caller's for hanging up, or the model's failure. */
  reason: string | null
  /** The limit or failure that ended it. */
  over: RunOutcome | null
  hungUp: boolean
}

/** The limit of a conversation that was reached, or what its model failed at. */
class Over extends RunOver {
  readonly outcome: RunOutcome
  constructor(outcome: RunOutcome, message: string) {
    super(message)
    this.outcome = outcome
  }
}

/**
 * A caller whom a language model plays. What the model writes is read as one action of a caller, and does nothing
 * else. `told` hears what the conversation has cost so far.
 */
export function playCaller(
  of: Of,
  place: { number: number; of: number },
  ask: Ask,
  { steps, note }: Pick<SimulatedRun, 'steps' | 'note'>,
  told: (played: Played) => void = () => {},
  now: () => number = () => performance.now(),
): { caller: Caller; played: Played } {
  const played: Played = {
    ...{ turns: 0, tokens: 0, is_reached: false },
    ...{ reason: null, over: null, hungUp: false },
  }
  const system: Message = { role: 'system', content: callerPrompt(of, place) }
  const talk: Message[] = []
  const until = now() + of.max_minutes * 60_000
  let heard = 0
  let usual = 0
  let isScriptTold = false

  function newlyHeard() {
    const fresh = steps.slice(heard)
    heard = steps.length
    return fresh.flatMap(heardOf)
  }

  async function say(content: string): Promise<Action | undefined> {
    talk.push({ role: 'user', content })
    while (talk.length > 1 && charsOf(talk) > HISTORY_CHARS) talk.splice(0, 2)
    const messages = [system, ...talk]
    if (played.tokens + mostTokens(messages, ANSWER_TOKENS) > of.max_tokens)
      throw new Over(
        'tokens',
        t('The budget of this conversation is used up: {tokens} of {limit} tokens.', {
          tokens: played.tokens,
          limit: of.max_tokens,
        }),
      )
    const { text, tokens } = await ask(messages, ANSWER_TOKENS)
    played.tokens += tokens
    const action = actionIn(text)
    // what is of no use is not sent back at length
    talk.push({ role: 'assistant', content: action ? JSON.stringify(action) : text.slice(0, 200) })
    return action
  }

  async function act(question: Question): Promise<Action> {
    const first = await say(heardPrompt(newlyHeard(), question))
    if (first) return first
    note(t('The model’s answer was not one of a caller, so it was asked again.'))
    const second = await say(AGAIN)
    if (second) return second
    throw new Over('model', t('Twice in a row, the model’s answer was not one of a caller.'))
  }

  async function answer(question: Question) {
    if (now() > until)
      throw new Over(
        'time',
        t('The time of this conversation is over: {minutes} minutes.', {
          minutes: of.max_minutes,
        }),
      )
    if (question.side === 'called' || !isAsked(question)) {
      usual += 1
      if (usual > MOST_USUAL) throw new Over('turns', t('The conversation does not go on.'))
      return usualAnswer(question)
    }
    if (played.turns >= of.max_turns)
      throw new Over(
        'turns',
        t('The caller has answered {turns} times, which is the limit of this conversation.', {
          turns: of.max_turns,
        }),
      )
    const action = await act(question)
    played.turns += 1
    played.is_reached = action.reached ?? played.is_reached
    if (action.do === 'hang_up') {
      played.hungUp = true
      played.reason = action.why ?? null
    }
    if (action.do === 'say' && !isScriptTold && isInOtherScript(action.text, of.language)) {
      isScriptTold = true
      note(
        t('The model answers in another script than {language} is written in.', {
          language: of.language,
        }),
      )
    }
    told(played)
    return answerOf(action, question)
  }

  const caller: Caller = {
    async ask(question) {
      try {
        return await answer(question)
      } catch (e) {
        const over =
          e instanceof Refused
            ? new Over('model', t('The language model failed: {reason}', { reason: e.message }))
            : e
        if (!(over instanceof Over)) throw e
        played.over = over.outcome
        if (over.outcome === 'model') played.reason = over.message
        throw over
      }
    },
  }
  return { caller, played }
}

const charsOf = (talk: readonly Message[]) =>
  talk.reduce((sum, { content }) => sum + content.length, 0)

const isAsked = ({ answers }: Question) => answers.includes('speech') || answers.includes('digits')

/** How a conversation ended. */
export function outcomeOf(
  { over, hungUp, is_reached }: Played,
  steps: readonly RunStep[],
  isStopped: boolean,
): RunOutcome {
  if (over) return over
  if (isStopped) return 'stopped'
  const last = steps.at(-1)
  const by = last?.kind === 'ended' ? last.by : 'run'
  if (by === 'application' || by === 'platform') return by
  if (by === 'run') return 'limit'
  return hungUp && is_reached ? 'goal' : 'gave_up'
}
