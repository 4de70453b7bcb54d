import { type ConfigOf, SpeechCatalogue, type Vendor } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import type { Outbound } from '../src/outbound/outbound.ts'
import { soundOf } from '../src/speech/ask.ts'
import type { Protocol, Recording, Sentence } from '../src/speech/protocol.ts'
import { HEARD } from './stand-ins/speech/strict.ts'
import { type Answered, type Asked, type StandIn, standIns } from './stand-ins/speech-server.ts'

export type Call = 'probe tts' | 'probe stt' | 'catalogue' | 'speak' | 'recognise'

export type Cases<V extends Vendor> = {
  protocol: Protocol<V>
  standIn: StandIn
  /** A credential that the stand-in takes. */
  config: ConfigOf<V>
  /** Its secret. */
  secret: keyof ConfigOf<V>
  sentence?: Sentence
  /** The language of the recording; the stand-in understands `HEARD`. */
  language?: string
  /** What people read when the key is wrong. */
  wrongKey: string
  /** What the vendor documents for too many calls or too little credit, and what people read then. */
  quota: Answered
  outOfQuota: string
  /** Calls that go without a key. */
  keyless?: readonly Call[]
  /** Calls over a WebSocket: not the ones below that are about HTTP. */
  sockets?: readonly Call[]
}

export const CANARY = 'canary-5e1d07aa93'
/** A second of silence. */
export const silence = (language = 'en-US'): Recording => ({
  pcm: Buffer.alloc(16_000),
  rate: 8_000,
  language,
})

/** A way out with room for less than the product has, and as much patience as it is given. */
export const limited = (out: Outbound, timeout_ms = 20_000): Outbound => ({
  ...out,
  fetch: (url, how) => out.fetch(url, { ...how, timeout_ms, max_bytes: 100_000 }),
  socket: (url, how) => out.socket(url, { ...how, timeout_ms, max_bytes: 100_000 }),
})

/** Goes out to a stand-in for as long as it takes, but waits no longer than `timeout_ms` for an answer. */
export async function against<T>(
  standIn: StandIn,
  ask: (out: Outbound) => Promise<T>,
  timeout_ms?: number,
): Promise<T> {
  const s = await standIns(standIn)
  try {
    return await ask(limited(s.out, timeout_ms))
  } finally {
    await s.close()
  }
}

/** The vendor's hosts with nothing but this answer. */
export const answering = (
  { hosts }: StandIn,
  answer: Answered | ((asked: Asked) => Answered),
): StandIn => ({
  hosts,
  http: (asked) => (typeof answer === 'function' ? answer(asked) : answer),
})

/** An error as clumsy as they come: it repeats all that was sent, by every name that reasons go by. */
const repeating = ({ headers, body, url }: Asked): Answered => {
  const all = `no: ${JSON.stringify(headers)} ${url} ${String(body).slice(0, 500)}`
  return { status: 400, body: { message: all, err_msg: all, error: all, detail: all } }
}

/** What holds for every vendor, for each call that it has. */
export function vendorCases<V extends Vendor>(cases: Cases<V>) {
  const { protocol, standIn, config, keyless = [], sockets = [] } = cases
  const calls = callsOf(cases)
  const asking = (call: Call, from: StandIn, credential = config, timeout_ms?: number) =>
    against(from, (out) => calls[call]!(credential, out), timeout_ms)
  const refused = (answer: Promise<unknown>) =>
    answer.then(
      (value) => expect.fail(`It was taken: ${JSON.stringify(value)}`),
      (error: Error) => {
        expect(error).toMatchObject({ name: 'Refused' })
        return error.message
      },
    )
  const all = Object.keys(calls) as Call[]
  const plain = all.filter((c) => !sockets.includes(c))

  describe('as every vendor', () => {
    it.each(all)('%s', async (call) => {
      const answer = await asking(call, standIn)
      if (call === 'catalogue') expect(SpeechCatalogue.strict().parse(answer)).not.toEqual({})
      else if (call === 'speak') {
        const { type, bytes } = answer as Awaited<ReturnType<NonNullable<typeof protocol.speak>>>
        expect(soundOf(bytes, type).type).toBe(type)
      } else if (call === 'recognise') expect(answer).toBe(HEARD)
      else expect(answer).toBeUndefined()
    })

    it.each(all.filter((c) => !keyless.includes(c)))('%s with a wrong key', async (call) => {
      const wrong = { ...config, [cases.secret]: CANARY }
      expect(await refused(asking(call, standIn, wrong))).toBe(cases.wrongKey)
    })

    it.each(plain)('%s beyond the quota', async (call) => {
      expect(await refused(asking(call, answering(standIn, cases.quota)))).toBe(cases.outOfQuota)
    })

    it.each(plain)('%s from a slow vendor', async (call) => {
      const slow = answering(standIn, { status: 200, body: {}, after: 2_000 })
      expect(await refused(asking(call, slow, config, 200))).toMatch(
        /^no answer within \d+ seconds$/,
      )
    })

    it.each(plain)('%s from a vendor that answers nonsense', async (call) => {
      for (const body of ['<html>welcome</html>', '{}', '[null]', '""'])
        expect(await refused(asking(call, answering(standIn, { status: 200, body })))).toBe(
          'the vendor returned an unexpected answer',
        )
    })

    it.each(plain)('%s from a vendor that does not stop', async (call) => {
      const body = Buffer.alloc(200_000, 0xff)
      expect(await refused(asking(call, answering(standIn, { status: 200, body })))).toBe(
        'the vendor’s response is too large',
      )
    })

    it.each(plain)('%s without repeating the key', async (call) => {
      const planted = { ...config, [cases.secret]: CANARY }
      const message = await refused(asking(call, answering(standIn, repeating), planted))
      expect(message).toMatch(/^the vendor answered 400: no: /)
      if (!keyless.includes(call)) expect(message).toContain('***')
      for (const form of [CANARY, encodeURIComponent(CANARY), btoa(CANARY)])
        expect(message).not.toContain(form)
    })

    it.each(all)('%s from a vendor that is not there', async (call) => {
      const gone = { hosts: ['elsewhere.example.com'] }
      expect(await refused(asking(call, gone))).toBe('the vendor cannot be reached')
    })
  })
}

function callsOf<V extends Vendor>({ protocol, sentence, language }: Cases<V>) {
  const { probe, catalogue, speak, recognise } = protocol
  type Asks = (config: ConfigOf<V>, out: Outbound) => Promise<unknown>
  const calls: Partial<Record<Call, Asks>> = {
    ...(probe?.tts && { 'probe tts': probe.tts }),
    ...(probe?.stt && { 'probe stt': probe.stt }),
    ...(catalogue && { catalogue }),
    ...(speak && { speak: (config, out) => speak(config, sentence!, out) }),
    ...(recognise && {
      recognise: (config, out) => recognise(config, silence(language), out),
    }),
  }
  return calls
}
