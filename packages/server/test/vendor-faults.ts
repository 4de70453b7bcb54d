import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Outbound } from '../src/outbound/outbound.ts'
import { LIMITS, type Recording } from '../src/speech/protocol.ts'
import { type StandIn, standIns } from './stand-ins/speech-server.ts'

/** Part of every secret of a test; in nothing that is said. */
export const CANARY = 'canary'

/** A fifth of a second. A stand-in says how much of it it has heard. */
export const recording = (rate: 8000 | 16000, language: string): Recording => ({
  pcm: Buffer.alloc(rate * 0.4, 1),
  rate,
  language,
})

/** A way out to these stand-ins, closed with the test. */
export async function wayOut(...vendors: StandIn[]): Promise<Outbound> {
  const s = await standIns(...vendors)
  onTestFinished(s.close)
  return s.out
}

/** Until the end of the test no call may take longer. */
export function shortenTimeouts(ms = 300) {
  const real = AbortSignal.timeout
  const spy = vi.spyOn(AbortSignal, 'timeout')
  spy.mockImplementation((most) => real(Math.min(ms, most)))
  onTestFinished(() => spy.mockRestore())
}

const TROUBLES = {
  'that has a quota': /quota/,
  'that is slow': /^no answer within/,
  'that answers garbage': /unexpected answer/,
  'that answers too much': /response is too large/,
  'that hangs up in the middle': /closed the connection/,
  'that says nothing': /^no answer within/,
} as const
type Trouble = keyof typeof TROUBLES

const GARBAGE = '<html>garbage'
const HUGE = Buffer.alloc(LIMITS.catalogue.max_bytes + 1, 'a')

/** The same vendor on a bad day. */
function troubled({ hosts, http, socket }: StandIn, trouble: Trouble): StandIn {
  return {
    hosts,
    async http(asked) {
      switch (trouble) {
        case 'that has a quota':
          return { status: 429, body: { message: `too many for ${asked.headers.authorization}` } }
        case 'that is slow':
          return { ...(await http!(asked)), after: 1_500 }
        case 'that answers garbage':
          return { status: 200, body: GARBAGE }
        case 'that answers too much':
          return { status: 200, body: HUGE }
        default:
          return http?.(asked) ?? { status: 404 }
      }
    },
    socket: {
      refuse: () => (trouble === 'that has a quota' ? 429 : undefined),
      open(line, asked) {
        if (trouble === 'that answers garbage') line.send(GARBAGE)
        if (trouble === 'that answers too much') line.send(HUGE)
        if (trouble === 'that hangs up in the middle') {
          socket!.open(line, asked)
          line.once('message', () => line.terminate())
        }
      },
    },
  }
}

const OVER: Record<'http' | 'socket' | 'opening' | 'both', Trouble[]> = {
  http: ['that has a quota', 'that is slow', 'that answers garbage', 'that answers too much'],
  socket: Object.keys(TROUBLES).filter((t) => t !== 'that is slow') as Trouble[],
  opening: ['that has a quota'],
  both: Object.keys(TROUBLES) as Trouble[],
}

/**
 * Tests that a vendor which refuses, lags, raves or dies is refused in plain words and never hung on for, and
 * that no words hold a secret. `call` is given a way out and whether to go with the right key.
 */
export function vendorFaults(
  standIn: StandIn,
  ways: Record<
    string,
    {
      over: keyof typeof OVER
      call: (out: Outbound, key: 'right' | 'wrong') => Promise<unknown>
      wrong?: RegExp
    }
  >,
) {
  describe.each(Object.entries(ways))('%s', (_, { over, call, wrong = /invalid api key/ }) => {
    const refusal = async (out: Outbound, key: 'right' | 'wrong') => {
      const error = await call(out, key).then(
        () => undefined,
        (e: Error) => e,
      )
      expect(error).toMatchObject({ name: 'Refused' })
      expect(error!.message).not.toContain(CANARY)
      return error!.message
    }

    it('refuses a wrong key', async () => {
      expect(await refusal(await wayOut(standIn), 'wrong')).toMatch(wrong)
    })

    it.each(OVER[over])('gives up on a vendor %s', async (trouble) => {
      const out = await wayOut(troubled(standIn, trouble))
      if (/slow|nothing/.test(trouble)) shortenTimeouts()
      expect(await refusal(out, 'right')).toMatch(TROUBLES[trouble])
    })
  })
}
