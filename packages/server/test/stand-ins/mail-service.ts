import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type MailServicePost = {
  path: string
  authorization: string | undefined
  type: string
  body: string
}

/**
 * Mailgun's endpoint of MIME messages as documented: 401 for another key, 404 for another domain, 400 without recipient
 * or message. Any other path takes what is posted there. `answer` replaces the status.
 */
export async function mailServiceStandIn({ key, domain }: { key: string; domain: string }) {
  const posts: MailServicePost[] = []
  const state: { answer: number | undefined } = { answer: undefined }
  const statusOf = ({ path, authorization, body }: MailServicePost) => {
    if (state.answer) return state.answer
    if (!path.startsWith('/v3/')) return 200
    if (authorization !== `Basic ${Buffer.from(`api:${key}`).toString('base64')}`) return 401
    if (path !== `/v3/${domain}/messages.mime`) return 404
    return /name="to"/.test(body) && /name="message"/.test(body) ? 200 : 400
  }
  const server = createServer(async (request, response) => {
    const post = {
      path: request.url!,
      authorization: request.headers.authorization,
      type: request.headers['content-type'] ?? '',
      body: await textOf(request),
    }
    const status = statusOf(post)
    if (status === 200) posts.push(post)
    response.writeHead(status).end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    state,
    close: () => server.close(),
  }
}

async function textOf(request: IncomingMessage) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
