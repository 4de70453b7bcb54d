import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
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

it('leaves a sender without end the time to read why it is refused', async () => {
  const answered = vi.fn()
  const server = await ingestServer({
    host: '127.0.0.1',
    port: 0,
    limits: { body: 100_000, in_flight: 1_000_000, connections: 1 },
    http: {},
    answer: async (_, response, body) => void response.end(String((await body()).length)),
    refuse: (response, e) => void response.writeHead(e instanceof Refusal ? e.status : 500).end(),
    answered,
  })
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
  const chunk = `f4240\r\n${' '.repeat(1_000_000)}\r\n`
  const send = () => {
    if (!socket.destroyed) socket.write(chunk, send)
  }
  send()
  // it reads only once the server has long had enough
  await expect.poll(() => answered.mock.calls).toEqual([[413]])
  for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate)
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  await closed
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  await server.close()
})
