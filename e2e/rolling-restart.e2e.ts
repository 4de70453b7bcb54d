import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { caseCount, report } from '../packages/server/test/trust.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { redis } from './redis.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
/** How often `/ready` is asked, and for how long a server that stops still answers. */
const ASK_MS = 100
const DRAIN_SECONDS = 1

/**
 * Passes requests on to servers whose last `/ready` was 200, in turn, as an operator's load balancer does. It never
 * repeats a request.
 */
async function balancer(urls: string[]) {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set(urls)
  const ask = () =>
    urls.map(async (url) => {
      const ok = await fetch(`${url}/ready`).then(
        (answer) => answer.ok,
        () => false,
      )
      if (ok) ready.add(url)
      else ready.delete(url)
    })
  const asking = setInterval(ask, ASK_MS)
  let turn = 0
  const pass = (from: IncomingMessage, to: ServerResponse) => {
    const url = [...ready][turn++ % ready.size]
    if (!url) return void to.writeHead(502).end('no server is ready')
    const { method, headers } = from
    const onward = request(`${url}${from.url}`, { method, headers, agent }, (answer) => {
      to.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(to)
    })
    onward.once('error', (e) => to.writeHead(502).end(`${url}: ${e.message}`))
    from.pipe(onward)
  }
  const server = createServer(pass)
  await new Promise<void>((r) => server.listen(0, '127.0.0.1', r))
  closing.push(async () => {
    clearInterval(asking)
    server.closeAllConnections()
    agent.destroy()
    await new Promise((r) => server.close(r))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isReady: (url: string) => ready.has(url),
  }
}

it.each(databasesFor('rolling-restart'))(
  'loses no request and shows no wrong list while its processes restart in turn, on %s',
  { timeout: 3_600_000 },
  async (database) => {
    const drain = { SWITCHROOM_DRAIN_SECONDS: String(DRAIN_SECONDS) }
    const servers: Switchroom[] = []
    for (let i = 0; i < 2; i++) {
      const server = await startSwitchroom(database, { ...servers[0]?.shared, ...drain })
      servers.push(server)
      closing.push(server.stop)
    }
    const { url, isReady } = await balancer(servers.map((server) => server.url))
    const token = await fetchToken(url)

    const acknowledged: string[] = []
    const failures: string[] = []
    let [running, sent, next] = [true, 0, 0]
    const client = async () => {
      while (running) {
        const number = `1509${String(next++).padStart(7, '0')}`
        const body = { number, account_sid: ACCOUNT }
        try {
          sent += 2
          await api(url, token, 'POST', '/PhoneNumbers', body)
          const least = acknowledged.push(number)
          const { total } = await api<{ total: number }>(
            url,
            token,
            'GET',
            '/PhoneNumbers?page=1&page_size=25',
          )
          // without Redis, processes tell each other nothing
          if (total < least && database === 'mysql' && redis)
            failures.push(`lists ${total} of at least ${least}`)
        } catch (e) {
          failures.push(String(e))
        }
      }
    }
    const clients = Array.from({ length: 4 }, client)
    const restarts = caseCount(2, 40)
    for (let i = 0; i < restarts; i++) {
      const server = servers[i % 2]!
      const code = await server.kill('SIGTERM')
      expect(code, server.log()).toBe(0)
      // it answered until the balancer had noticed
      expect(isReady(server.url)).toBe(false)
      await server.start()
      await expect.poll(() => isReady(server.url)).toBe(true)
    }
    running = false
    await Promise.all(clients)

    expect(failures).toEqual([])
    const stored = await api<{ number: string }[]>(url, token, 'GET', '/PhoneNumbers')
    const numbers = new Set(stored.map((n) => n.number))
    expect(acknowledged.length).toBeGreaterThan(50)
    expect(acknowledged.filter((n) => !numbers.has(n))).toEqual([])
    report({
      part: 'requests while processes restart in turn',
      tried: sent,
      found: { restarts, 'answered and kept': acknowledged.length },
      database,
    })
  },
)
