import { afterEach, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { standIns } from '../../test/stand-ins/speech-server.ts'
import { outbound } from '../outbound/outbound.ts'
import { converse, type Line } from './converse.ts'

const open: { close: () => Promise<void> }[] = []
afterEach(() => Promise.all(open.splice(0).map((s) => s.close())))

const KEY = 'canary-4c77'
const asking = { secrets: [KEY], limit: { timeout_ms: 60_000, max_bytes: 1_000 } }
const impatient = { ...asking, limit: { ...asking.limit, timeout_ms: 400 } }
const URL = 'wss://live.example.com/v1'
const Message = z.object({ said: z.string() })

async function vendor(answers: (socket: WebSocket) => void, refuse?: number) {
  const closed: number[] = []
  const s = await standIns({
    hosts: ['live.example.com'],
    socket: {
      refuse: () => refuse,
      open: (socket) => {
        socket.on('close', (code) => closed.push(code))
        answers(socket)
      },
    },
  })
  open.push(s)
  return { out: s.out, closed }
}
const converseWith = async (
  answers: (socket: WebSocket) => void,
  words: (line: Line) => Promise<unknown>,
  limits = asking,
) => converse((await vendor(answers)).out, URL, {}, limits, words)
const hearMessage = (line: Line) => line.hear(Message)

it('receives immediate messages in order, and closes', async () => {
  const { out, closed } = await vendor((socket) => {
    socket.send('{"said":"a"}')
    socket.send('{"said":"b"}')
    socket.on('message', (m) => socket.send(JSON.stringify({ said: `echo ${m}` })))
  })
  const messages = await converse(out, URL, {}, asking, async (line) => {
    line.say({ x: 1 })
    return [await line.hear(Message), await line.hear(Message), await line.hear(Message)]
  })
  expect(messages.map((h) => h.said)).toEqual(['a', 'b', 'echo {"x":1}'])
  await expect.poll(() => closed).toEqual([1005])
})

it('plays audio in chunks, none too small', async () => {
  const sizes: number[] = []
  await converseWith(
    (socket) => socket.on('message', (m: Buffer) => sizes.push(m.length)),
    (line) => line.play(Buffer.alloc(3 * 1_600 + 10), 8_000),
  )
  expect(sizes).toEqual([1_600, 1_600, 1_610])
})

it('distinguishes a normal close from silence', async () => {
  const closeSocket = (socket: WebSocket) => socket.close(1000)
  expect(await converseWith(closeSocket, (line) => line.next(Message))).toBeUndefined()
  await expect(converseWith(closeSocket, hearMessage)).rejects.toThrow(
    'the vendor closed the connection before it answered',
  )
  expect(
    await converseWith(
      () => {},
      (line) => line.next(Message, 50),
    ),
  ).toBeUndefined()
})

it.each<[string, (socket: WebSocket) => void, string]>([
  ['garbage', (s) => s.send('<html>'), 'the vendor returned an unexpected answer'],
  ['another shape', (s) => s.send('{}'), 'the vendor returned an unexpected answer'],
  ['one message too large', (s) => s.send('x'.repeat(1_001)), 'the vendor’s response is too large'],
  [
    'a reason',
    (s) => s.close(3008, `no credit for ${KEY}`),
    'the vendor closed the connection: no credit for ***',
  ],
  ['no reason', (s) => s.close(1011), 'the vendor closed the connection: code 1011'],
  ['a cut', (s) => s.terminate(), 'the vendor closed the connection: code 1006'],
])('explains the error: %s', async (_, answers, message) => {
  await expect(converseWith(answers, hearMessage)).rejects.toMatchObject({
    name: 'Refused',
    message,
  })
})

it('times out on silence', async () => {
  await expect(converseWith(() => {}, hearMessage, impatient)).rejects.toMatchObject({
    name: 'Refused',
    message: 'no answer within 1 seconds',
  })
})

it('times out on a vendor that never stops sending', async () => {
  const chatters = (socket: WebSocket) => {
    for (let i = 0; i < 100; i++) socket.send('{"said":"0123456789"}')
  }
  const forever = async (line: Line) => {
    for (;;) await line.hear(Message)
  }
  await expect(converseWith(chatters, forever)).rejects.toThrow(
    'the vendor’s response is too large',
  )
  const drips = (socket: WebSocket) => {
    const drip = setInterval(() => socket.send('{"said":""}'), 50)
    socket.on('close', () => clearInterval(drip))
  }
  await expect(converseWith(drips, forever, impatient)).rejects.toThrow('no answer within')
})

it('stops playing into a closed socket', async () => {
  const closeSocket = (socket: WebSocket) => socket.close(1008, 'Invalid key')
  const hearTwo = async (line: Line) => {
    // ten minutes of sound: longer than this test may take
    await line.play(Buffer.alloc(9_600_000), 8_000)
    return line.hear(Message)
  }
  const patient = { ...asking, limit: { ...asking.limit, timeout_ms: 600_000 } }
  const { out } = await vendor(closeSocket)
  await expect(converse(out, URL, {}, patient, hearTwo)).rejects.toThrow(
    'the vendor closed the connection: Invalid key',
  )
})

it('reports why the socket did not open', async () => {
  const { out } = await vendor(() => {}, 401)
  await expect(converse(out, URL, {}, asking, hearMessage)).rejects.toThrow('invalid api key')
  await expect(converse(out, 'https://live.example.com', {}, asking, hearMessage)).rejects.toThrow(
    'the address is not a WebSocket URL',
  )
  await expect(
    converse(outbound([]), 'ws://127.0.0.1:1/', {}, asking, hearMessage),
  ).rejects.toThrow('The address is in an internal network')
})
