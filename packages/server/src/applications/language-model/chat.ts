import { MASK, t } from '@switchroom/contract'
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { askJson } from '../../speech/ask.ts'
import { Refused } from '../../speech/protocol.ts'

/** A language model with its key. */
export type Model = { url: string; model: string; api_key: string | null }
export type Message = { role: 'system' | 'user' | 'assistant'; content: string }
export type Said = { text: string; tokens: number }

const LIMIT = { timeout_ms: 30_000, max_bytes: 65_536 }
const CHARS_PER_TOKEN = 4
/** Limit for one answer, in case a model reports an absurd number. */
const MOST_TOKENS = 10_000_000

const Answer = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
  usage: z
    .object({ total_tokens: z.number().int().min(1).max(MOST_TOKENS) })
    .optional()
    .catch(undefined),
})

const charsOf = (messages: readonly Message[]) =>
  messages.reduce((sum, { content }) => sum + content.length, 0)

/** How many tokens a request takes at most, its answer included. */
export const mostTokens = (messages: readonly Message[], max_tokens: number) =>
  Math.ceil(charsOf(messages) / CHARS_PER_TOKEN) + max_tokens

/** The endpoint of a model whose address may end before it. */
function endpointOf(address: string) {
  const url = new URL(address)
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`
  return url.href
}

/** Asks a model once, through the outbound guard. Throws `Refused`, without the key, and the reason of `signal`. */
export async function chat(
  outbound: Outbound,
  { url, model, api_key }: Model,
  messages: readonly Message[],
  max_tokens: number,
  signal?: AbortSignal,
): Promise<Said> {
  const { choices, usage } = await askJson(
    outbound,
    endpointOf(url),
    {
      headers: api_key ? { authorization: `Bearer ${api_key}` } : {},
      json: { model, messages, max_tokens },
    },
    { secrets: [api_key], limit: LIMIT, shape: Answer, signal },
  )
  const content = choices[0]!.message.content ?? ''
  if (!content.trim()) throw new Refused(t('the model answered nothing'))
  return {
    text: api_key ? content.replaceAll(api_key, MASK) : content,
    tokens:
      usage?.total_tokens ?? Math.ceil((charsOf(messages) + content.length) / CHARS_PER_TOKEN),
  }
}
