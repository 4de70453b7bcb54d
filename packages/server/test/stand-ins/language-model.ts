import { httpApplication } from './voice-applications.ts'

type Message = { role: string; content: string }
type Asked = { model: string; messages: Message[]; max_tokens: number }

/**
 * A server that speaks the chat-completions protocol and answers what `says` returns: the text of the model, a status, or
 * a whole body.
 */
export async function languageModel(
  says: (asked: Asked) => string | number | { body: string } | Promise<string>,
  usage: (asked: Asked) => object | undefined = () => ({ total_tokens: 100 }),
) {
  const server = await httpApplication(async ({ method, path, headers, body }) => {
    if (method !== 'POST' || !path.endsWith('/chat/completions')) return 404
    if (headers.authorization !== `Bearer ${MODEL_KEY}`)
      return { status: 401, text: JSON.stringify({ error: { message: `no ${MODEL_KEY}` } }) }
    const answer = await says(body)
    if (typeof answer === 'number') return answer
    if (typeof answer === 'object') return { text: answer.body }
    const choices = [{ index: 0, message: { role: 'assistant', content: answer } }]
    return { text: JSON.stringify({ choices, usage: usage(body) }) }
  })
  return { ...server, asked: () => server.requests.map(({ body }): Asked => body) }
}

export const MODEL_KEY = 'sk-canary-model-key'
