import { expect, it } from 'vitest'
import { verbio as standIn, TOKEN } from '../../../test/stand-ins/speech/verbio.ts'
import { CANARY, recording, vendorFaults, wayOut } from '../../../test/vendor-faults.ts'
import { pcmOf } from '../../audio/wav.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { verbio } from './verbio.ts'

const SECRET = `${CANARY}-verbio`
const config = { client_id: 'client', client_secret: SECRET, engine_version: 'V2' }
const vendor = standIn('client', SECRET)
const sentence = { text: 'Hello', language: 'en-US', voice: 'tommy_en_us' }

it('knows a good secret, for both uses', async () => {
  const out = await wayOut(vendor)
  await verbio.probe!.tts!(config, out)
  await verbio.probe!.stt!(config, out)
})

it('offers its voices by language', async () => {
  expect(await verbio.catalogue!(config, await wayOut(vendor))).toEqual({
    tts: [
      {
        value: 'en-US',
        name: 'English (United States)',
        voices: [
          { value: 'anna_en_us', name: 'Anna' },
          { value: 'tommy_en_us', name: 'Tommy' },
        ],
      },
      {
        value: 'es-ES',
        name: 'Spanish (Spain)',
        voices: [{ value: 'david_es_es', name: 'David' }],
      },
    ],
  })
})

it('speaks', async () => {
  const sound = await verbio.speak!(config, sentence, await wayOut(vendor))
  expect(sound.type).toBe('audio/wav')
  expect(pcmOf(sound.bytes)).toEqual({ pcm: Buffer.alloc(1_600, 1), rate: 8_000 })
})

it.each([8000, 16000] as const)('understands a recording of %i Hz', async (rate) => {
  const out = await wayOut(vendor)
  expect(await verbio.recognise!(config, recording(rate, 'es'), out)).toBe(
    `${rate * 0.4} bytes at ${rate}, es by V2`,
  )
})

it('repeats nothing of what it signed in with', async () => {
  const call = verbio.speak!(config, { ...sentence, voice: 'nobody' }, await wayOut(vendor))
  await expect(call).rejects.toThrow('Unknown voice nobody for Bearer ***')
  await expect(call).rejects.not.toThrow(TOKEN)
})

it('takes no page for sound', async () => {
  const out = await wayOut({
    hosts: vendor.hosts,
    http: (asked) =>
      asked.url.pathname === '/api/v1/synthesize'
        ? { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }
        : vendor.http!(asked),
  })
  await expect(verbio.speak!(config, sentence, out)).rejects.toThrow('unexpected answer')
})

const wrong = (key: string) => ({
  ...config,
  client_secret: key === 'right' ? SECRET : `${CANARY}-wrong`,
})
const ways: Record<string, (out: Outbound, key: 'right' | 'wrong') => Promise<unknown>> = {
  probe: (out, key) => verbio.probe!.stt!(wrong(key), out),
  catalogue: (out, key) => verbio.catalogue!(wrong(key), out),
  speak: (out, key) => verbio.speak!(wrong(key), sentence, out),
  recognise: (out, key) => verbio.recognise!(wrong(key), recording(8000, 'en-US'), out),
}
vendorFaults(
  vendor,
  Object.fromEntries(
    Object.entries(ways).map(([name, call]) => [
      name,
      { over: 'http' as const, wrong: /invalid client id or secret/, call },
    ]),
  ),
)
