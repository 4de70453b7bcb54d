import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api, type Endpoint } from '../packages/contract/src/index.ts'

/** The paths that a stock API server does not have. */
const own = Object.values(api)
  .flatMap((group) => Object.values(group as Record<string, Endpoint>))
  .filter((e) => e.own)
  .map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`, 'i'),
  }))

/** Lists that a stock server pages; the others it always answers whole. */
const PAGED =
  /^\/(PhoneNumbers|Applications|Accounts\/[^/]+\/Applications|ServiceProviders\/[^/]+\/VoipCarriers)$/

/** Members that ours adds to what it is sent. A stock server takes every member for a column, and fails. */
const UNKNOWN = ['limits', 'sip_gateways', 'smpp_gateways', 'description', 'routes', 'version']
/** And to what it answers. */
const ADDED = /_name$|^version$|^limits$|^sip_gateways$|^smpp_gateways$|gateways$|^description$/

const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !ADDED.test(key))
      .map(([key, v]) => [key, plain(v)]),
  )
}

/**
 * Stands in front of an API and answers as a stock one would: without what is ours alone, and with 500 for
 * members that are. `fail`: a call that goes wrong.
 */
export async function stockServer(target: string) {
  const calls: string[] = []
  let failing: RegExp | undefined
  const server = createServer(async (request, reply) => {
    const url = new URL(request.url!, target)
    const path = url.pathname.replace(/^\/(api\/)?v1/, '')
    const method = request.method!
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const cors = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-allow-methods': '*',
    }
    const answer = (status: number, text: string) =>
      reply.writeHead(status, { 'content-type': 'application/json', ...cors }).end(text)
    if (method === 'OPTIONS') return reply.writeHead(204, cors).end()
    calls.push(`${method} ${path}`)
    if (own.some((e) => e.method === method && e.pattern.test(path)))
      return answer(404, '{"msg":"Not Found"}')
    const unknown = Object.keys(body ? (JSON.parse(body) as object) : {}).filter((m) =>
      UNKNOWN.includes(m),
    )
    if (unknown.length > 0 || failing?.test(`${method} ${path}`))
      return answer(
        500,
        JSON.stringify({ msg: `Unknown column '${unknown[0] ?? 'x'}' in 'field list'` }),
      )
    if (!PAGED.test(path)) url.searchParams.delete('page')
    const answered = await fetch(url, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(request.headers.authorization && { authorization: request.headers.authorization }),
      },
      ...(body && { body }),
    })
    const text = await answered.text()
    if (!text) return reply.writeHead(answered.status, cors).end()
    answer(answered.status, JSON.stringify(plain(JSON.parse(text))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    /** What it was asked, in order. */
    calls,
    /** Calls that look like this fail from now on. */
    fail: (pattern: RegExp | undefined) => {
      failing = pattern
    },
    stop: () => server.close(),
  }
}
