import { expect, it } from 'vitest'
import { standIns } from '../../test/stand-ins/speech-server.ts'
import { converse } from './converse.ts'

it('plays audio about in real time', async () => {
  const s = await standIns({ hosts: ['live.example.com'], socket: { open: () => {} } })
  const limits = { secrets: [], limit: { timeout_ms: 60_000, max_bytes: 1_000 } }
  const began = performance.now()
  await converse(s.out, 'wss://live.example.com/v1', {}, limits, (line) =>
    line.play(Buffer.alloc(4 * 1_600), 8_000),
  )
  // 400 ms of sound, played 1.2 times as fast; timers may end a little early
  expect(performance.now() - began).toBeGreaterThanOrEqual(300)
  await s.close()
})
