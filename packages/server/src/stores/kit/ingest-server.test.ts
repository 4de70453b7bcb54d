import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { ingestServer, Refusal } from './ingest-server.ts'

it('limits the memory of many concurrent bodies', async () => {
  const MB = 1_000_000
  const server = await ingestServer({
    host: '127.0.0.1',
    port: 0,
    limits: { body: 25 * MB, in_flight: 50 * MB, connections: 100 },
    http: {},
    async answer(_, response, body) {
      response.end(String((await body()).length))
    },
    refuse(response, e) {
      response.writeHead(e instanceof Refusal ? e.status : 500).end()
    },
  })
  const body = gzipSync(Buffer.alloc(24 * MB))
  let most = 0
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }, 5)
  const before = process.memoryUsage().arrayBuffers
  const post = () =>
    fetch(`http://127.0.0.1:${server.port}/`, {
      method: 'POST',
      body,
      headers: { 'content-encoding': 'gzip' },
    })
  const statuses = (await Promise.all(Array.from({ length: 40 }, post))).map((a) => a.status)
  clearInterval(look)
  expect(statuses).toContain(503)
  expect(most - before).toBeLessThan(300 * MB)
  // and room again
  expect(await (await post()).text()).toBe(String(24 * MB))
  await server.close()
})
