import { type ConfigOf, SpeechCatalogue, type Vendor } from '@switchroom/contract'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Outbound } from '../src/outbound/outbound.ts'
import { soundOf } from '../src/speech/ask.ts'
import {
  LIMITS,
  type Protocol,
  type Recording,
  type Sentence,
  type Sound,
} from '../src/speech/protocol.ts'
import { TRANSCRIPT } from './stand-ins/speech/strict.ts'
import {
  type StandIn,
  standIns,
  type VendorRequest,
  type VendorResponse,
} from './stand-ins/speech-server.ts'
import { report } from './trust.ts'

/** Part of every secret that must not appear in an error message. */
export const CANARY = 'canary-5e1d07aa93'

/** A fifth of a second of audio. Some stand-ins return how many bytes they received. */
export const recording = (rate: 8000 | 16000, language: string): Recording => ({
  pcm: Buffer.alloc(rate * 0.4, 1),
  rate,
  language,
})

/** A second of silence. */
export const silence = (language = 'en-US'): Recording => ({
  pcm: Buffer.alloc(16_000),
  rate: 8_000,
  language,
})

/** Outbound access on which these stand-ins answer for their hosts until the test ends. */
export async function reaching(...vendors: StandIn[]): Promise<Outbound> {
  const s = await standIns(...vendors)
  onTestFinished(s.close)
  return s.out
}

/** Caps every `AbortSignal.timeout` until the test ends. */
export function shortenTimeouts(ms = 300) {
  const real = AbortSignal.timeout
  const spy = vi.spyOn(AbortSignal, 'timeout')
  spy.mockImplementation((most) => real(Math.min(ms, most)))
  onTestFinished(() => spy.mockRestore())
}

/** The vendor's hosts with nothing but this answer. */
export const respondWith = (
  { hosts }: StandIn,
  answer: VendorResponse | ((request: VendorRequest) => VendorResponse),
): StandIn => ({
  hosts,
  http: (request) => (typeof answer === 'function' ? answer(request) : answer),
})

export type Call = 'probe tts' | 'probe stt' | 'catalogue' | 'speak' | 'recognize'

/** The stage of a call at which the vendor fails. */
export type Stage = 'request' | 'second request' | 'handshake' | 'socket'

export type VendorCases<V extends Vendor> = {
  protocol: Protocol<V>
  standIn: StandIn
  /** A credential that the stand-in accepts. */
  config: ConfigOf<V>
  /** The field with its secret. */
  secret: keyof ConfigOf<V>
  /** The same credential with a wrong secret; by default `secret` is replaced. */
  wrong?: Partial<ConfigOf<V>>
  /** Values that no message may contain; by default the one of `secret`. */
  secrets?: readonly string[]
  sentence?: Sentence
  /** By default a second of silence, for which stand-ins return `TRANSCRIPT`. */
  recording?: Recording
  transcript?: string
  /** The message for a wrong key. */
  wrongKey: string | RegExp | ((call: Call) => string)
  /** The vendor's documented response above its quota, and the message for it. */
  quota?: VendorResponse
  outOfQuota?: string
  /** The vendor's error with this reason, if it is not the usual JSON. */
  echo?: (text: string) => VendorResponse
  /** The message for an `echo`, if it is not `the vendor answered 400`. */
  echoed?: RegExp
  /** True if a body that is nonsense for most vendors is valid for this one. */
  accepts?: (call: Call, stage: Stage, body: string) => boolean
  /** Calls that go without a key. */
  keyless?: readonly Call[]
  /** The stages of a call, or of `all` others; by default one HTTP request. */
  stages?: Partial<Record<Call | 'all', readonly Stage[]>>
}

type Fault = {
  name: string
  at: readonly Stage[]
  body?: string
  /** Responds in place of the vendor. */
  http?: (request: VendorRequest) => VendorResponse | Promise<VendorResponse>
  refuse?: number
  open?: NonNullable<StandIn['socket']>['open']
  /** The expected message. */
  message: string | RegExp
}

const REQUESTS = ['request', 'second request'] as const
const UNEXPECTED = 'the vendor returned an unexpected answer'
const TOO_LARGE = 'the vendor’s response is too large'
const TIMED_OUT = /^no answer within \d+ seconds$/
const NONSENSE = ['<html>welcome</html>', '{}', '[null]', '""']

// scaled down: a hundredth of the limit, and of the body
const HUGE = Buffer.alloc(LIMITS.catalogue.max_bytes / 100 + 1, 0xff)
const aHundredth = (out: Outbound): Outbound => ({
  ...out,
  fetch: (url, how) => out.fetch(url, { ...how, max_bytes: how.max_bytes / 100 }),
  socket: (url, how) => out.socket(url, { ...how, max_bytes: how.max_bytes / 100 }),
})

/** The usual error, with the reason in every field that vendors use for it. */
const usualError = (reason: string): VendorResponse => ({
  status: 400,
  body: { message: reason, err_msg: reason, error: reason, detail: reason },
})

/** Everything that can go wrong at a vendor. */
const faultsOf = <V extends Vendor>({
  standIn,
  quota = { status: 429, body: { message: 'Too many requests' } },
  outOfQuota = 'quota or concurrency limit exceeded: Too many requests',
  echo = usualError,
  echoed = /^the vendor answered 400: no: /,
}: VendorCases<V>): Fault[] => [
  { name: 'is over its quota', at: REQUESTS, http: () => quota, message: outOfQuota },
  {
    name: 'is over its quota',
    at: ['handshake', 'socket'],
    refuse: 429,
    message: /^quota or concurrency limit exceeded/,
  },
  {
    name: 'is slow',
    at: REQUESTS,
    http: async (request) => ({ ...(await standIn.http!(request)), after: new Promise(() => {}) }),
    message: TIMED_OUT,
  },
  ...NONSENSE.map((body) => ({
    name: `returns ${body}`,
    body,
    at: REQUESTS,
    http: () => ({ status: 200, body }),
    message: UNEXPECTED,
  })),
  {
    name: 'sends nonsense',
    at: ['socket'],
    open: (socket) => socket.send(NONSENSE[0]!),
    message: UNEXPECTED,
  },
  {
    name: 'does not stop sending',
    at: [...REQUESTS, 'socket'],
    http: () => ({ status: 200, body: HUGE }),
    open: (socket) => socket.send(HUGE),
    message: TOO_LARGE,
  },
  {
    name: 'quotes the request',
    at: REQUESTS,
    http: ({ headers, url, body }) =>
      echo(`no: ${JSON.stringify(headers)} ${url} ${String(body).slice(0, 500)}`),
    message: echoed,
  },
  {
    name: 'hangs up',
    at: ['socket'],
    open(socket, request) {
      standIn.socket!.open(socket, request)
      socket.once('message', () => socket.terminate())
    },
    message: /^the vendor closed the connection/,
  },
  { name: 'stays silent', at: ['socket'], open: () => {}, message: TIMED_OUT },
]

/** The same vendor with a fault at this stage. `answers` are its faulty responses. */
function faulty({ hosts, http, socket }: StandIn, stage: Stage, fault: Fault) {
  const goodOnes = stage === 'second request' ? 1 : 0
  const answers: VendorResponse[] = []
  let requests = 0
  const vendor: StandIn = {
    hosts,
    async http(request) {
      const isFaulty = fault.http && stage !== 'socket' && ++requests > goodOnes
      if (!isFaulty) return http?.(request) ?? { status: 404 }
      const answer = await fault.http!(request)
      answers.push(answer)
      return answer
    },
    ...(socket && {
      socket: {
        refuse: (request) => fault.refuse ?? socket.refuse?.(request),
        open: fault.open ?? socket.open,
      },
    }),
  }
  return { vendor, answers }
}

/** The message of a call that must fail. */
async function messageOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    (value) => expect.fail(`It was accepted: ${JSON.stringify(value)}`),
    (e: Error) => e,
  )
  expect(error).toMatchObject({ name: 'Refused' })
  return error.message
}

const matching = (message: string | RegExp) =>
  typeof message === 'string' ? message : expect.stringMatching(message)

/**
 * Tests that each call of a vendor fails in time, with a clear message and without secrets, if the key
 * is wrong or the vendor has a fault.
 */
export function vendorFaults<V extends Vendor>(cases: VendorCases<V>) {
  const { config, secret, standIn, wrongKey, keyless = [], stages = {}, accepts } = cases
  const wrong = { ...config, ...(cases.wrong ?? { [secret]: CANARY }) }
  const secrets = [...(cases.secrets ?? [String(config[secret])]), CANARY].flatMap((s) => [
    s,
    encodeURIComponent(s),
    Buffer.from(s).toString('base64'),
  ])
  const containsSecret = (text: string) => secrets.some((s) => text.includes(s))

  describe.each(callsOf(cases))('%s', (name, call) => {
    if (!keyless.includes(name))
      it('rejects a wrong key', async () => {
        const message = await messageOf(call(wrong, await reaching(standIn)))
        const expected = typeof wrongKey === 'function' ? wrongKey(name) : wrongKey
        expect(message).toEqual(matching(expected))
        expect(message).not.toSatisfy(containsSecret)
      })

    it('fails if the vendor cannot be reached', async () => {
      expect(await messageOf(call(config, await reaching()))).toBe('the vendor cannot be reached')
    })

    const rows = (stages[name] ?? stages.all ?? ['request']).flatMap((stage) =>
      faultsOf(cases)
        .filter((f) => f.at.includes(stage) && !(f.body && accepts?.(name, stage, f.body)))
        .map((fault) => ({ name: fault.name, stage, fault })),
    )
    it.each(rows)('fails if the vendor $name ($stage)', async ({ stage, fault }) => {
      report({ part: 'faults of speech vendors', tried: 1 })
      const { vendor, answers } = faulty(standIn, stage, fault)
      const out = await reaching(vendor)
      if (fault.message === TIMED_OUT) shortenTimeouts()
      const message = await messageOf(
        call(config, fault.message === TOO_LARGE ? aHundredth(out) : out),
      )
      expect(message).toEqual(matching(fault.message))
      expect(message).not.toSatisfy(containsSecret)
      // messages show only the start of a long reason
      const shown = answers.map((a) => JSON.stringify(a.body).slice(0, 300)).join()
      if (/: no: /.test(message) && containsSecret(shown)) expect(message).toContain('***')
      // on a busy machine a call may time out before it arrives
      if (fault.http && stage !== 'socket' && fault.message !== TIMED_OUT)
        expect(answers).not.toEqual([])
    })
  })
}

/** Tests common to all vendors: that each call works, and how it fails. */
export function vendorCases<V extends Vendor>(cases: VendorCases<V>) {
  const { config, standIn, transcript = TRANSCRIPT } = cases
  it.each(callsOf(cases))('%s', async (name, call) => {
    const answer = await call(config, await reaching(standIn))
    if (name === 'catalogue') expect(SpeechCatalogue.strict().parse(answer)).not.toEqual({})
    else if (name === 'speak') {
      const { type, bytes } = answer as Sound
      expect(soundOf(bytes, type).type).toBe(type)
    } else if (name === 'recognize') expect(answer).toBe(transcript)
    else expect(answer).toBeUndefined()
  })
  vendorFaults(cases)
}

type VendorCall<V extends Vendor> = (config: ConfigOf<V>, out: Outbound) => Promise<unknown>

/** The calls of a protocol. */
function callsOf<V extends Vendor>({
  protocol: { probe, catalogue, speak, recognize },
  sentence,
  recording = silence(),
}: VendorCases<V>) {
  const calls: Partial<Record<Call, VendorCall<V>>> = {
    ...(probe?.tts && { 'probe tts': probe.tts }),
    ...(probe?.stt && { 'probe stt': probe.stt }),
    ...(catalogue && { catalogue }),
    ...(speak && { speak: (config, out) => speak(config, sentence!, out) }),
    ...(recognize && { recognize: (config, out) => recognize(config, recording, out) }),
  }
  return Object.entries(calls) as [Call, VendorCall<V>][]
}
