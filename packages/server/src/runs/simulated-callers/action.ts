import type { Answer, Question } from '@switchroom/contract'
import { z } from 'zod'

const TEXT_CHARS = 500
const KEYS = /^[\dA-D*#]{1,50}$/
const clipped = (max: number) =>
  z
    .string()
    .transform((text) => text.replace(/\s+/g, ' ').trim().slice(0, max))
    .pipe(z.string().min(1))

const reached = { reached: z.boolean().optional().catch(undefined) }
/** Action of a model as a caller. Any other output is rejected. */
const Action = z.discriminatedUnion('do', [
  z.object({ do: z.literal('say'), text: clipped(TEXT_CHARS), ...reached }),
  z.object({
    do: z.literal('press'),
    keys: z
      .union([z.string(), z.number()])
      .transform((keys) => String(keys).replace(/\s/g, '').toUpperCase())
      .pipe(z.string().regex(KEYS)),
    ...reached,
  }),
  z.object({ do: z.literal('wait'), ...reached }),
  z.object({
    do: z.literal('hang_up'),
    why: clipped(TEXT_CHARS).optional().catch(undefined),
    ...reached,
  }),
])
export type Action = z.infer<typeof Action>

/** The JSON object in a text that may have words or a fence around it. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  } catch {
    return undefined
  }
}

export const actionIn = (text: string): Action | undefined => Action.safeParse(jsonIn(text)).data

/** Length of conversations and waits. */
const SECONDS = 30

/** Answer to a question that an action stands for: the nearest one that the question allows. */
export function answerOf(action: Action, { answers }: Question): Answer {
  const wait: Answer = answers.includes('nothing')
    ? { kind: 'nothing' }
    : answers.includes('wait')
      ? { kind: 'wait', seconds: SECONDS }
      : { kind: 'hang_up' }
  if (action.do === 'hang_up') return { kind: 'hang_up' }
  if (action.do === 'wait') return wait
  if (action.do === 'say')
    return answers.includes('speech') ? { kind: 'speech', text: action.text } : wait
  if (answers.includes('digits')) return { kind: 'digits', digits: action.keys }
  return answers.includes('speech') ? { kind: 'speech', text: [...action.keys].join(' ') } : wait
}

/** Answer to a question that asks for no words: the dialled party answers, a conversation ends, the caller keeps waiting. */
export function usualAnswer({ side, answers }: Question): Answer {
  const may = (kind: Answer['kind']) => answers.includes(kind)
  if (side === 'called' && may('digits')) return { kind: 'digits', digits: '1' }
  if (side === 'called' && may('speech')) return { kind: 'speech', text: 'Yes' }
  if (may('answered')) return { kind: 'answered', seconds: SECONDS, by: 'person' }
  if (may('bridged')) return { kind: 'bridged', seconds: SECONDS }
  if (may('ended')) return { kind: 'ended', seconds: SECONDS }
  if (may('status')) return { kind: 'status', status: 200 }
  if (may('wait')) return { kind: 'wait', seconds: SECONDS }
  return may('nothing') ? { kind: 'nothing' } : { kind: 'hang_up' }
}
