import { describe, expect, it, onTestFinished } from 'vitest'
import type { Outbound } from '../../../src/outbound/outbound.ts'
import { type Answered, type Asked, type StandIn, standIns } from '../speech-server.ts'

/** What a vendor can be like. `telling` repeats all it was sent in its refusal. */
export type Mood = 'good' | 'quota' | 'slow' | 'garbage' | 'huge' | 'telling'

/** A vendor whose mood can be set. `quota` is its documented answer to too many calls. */
export function moody(
  side: StandIn & { http: NonNullable<StandIn['http']> },
  quota: Answered,
  telling = (said: string): Answered => ({ status: 400, body: { message: said } }),
) {
  const vendor = {
    ...side,
    mood: 'good' as Mood,
    /** How many calls are answered well before the mood shows. */
    patience: 0,
    asked: [] as Asked[],
    async http(asked: Asked): Promise<Answered> {
      vendor.asked.push(asked)
      switch (vendor.asked.length > vendor.patience ? vendor.mood : 'good') {
        case 'good':
          return side.http(asked)
        case 'quota':
          return quota
        case 'slow':
          return { ...(await side.http(asked)), after: 2_500 }
        case 'garbage':
          return { status: 200, body: 'garbage' }
        case 'huge':
          return { status: 200, body: `[${'0,'.repeat(60_000)}0]` }
        case 'telling':
          return telling(`${asked.url} ${JSON.stringify(asked.headers)} ${asked.body}`)
      }
    },
  }
  return vendor
}

/** The same way out with less time, or less to be read. */
export const hurried = (
  out: Outbound,
  less: { timeout_ms?: number; max_bytes?: number } = { timeout_ms: 300 },
): Outbound => ({
  ...out,
  fetch: (url, how) => out.fetch(url, { ...how, ...less }),
  socket: (url, how) => out.socket(url, { ...how, ...less }),
})

/** A way out on which these stand in until the test ends. */
export async function facing(...vendors: StandIn[]): Promise<Outbound> {
  const s = await standIns(...vendors)
  onTestFinished(s.close)
  return s.out
}

type Calls = Record<string, (out: Outbound) => Promise<unknown>>

/**
 * Every call says plainly what the vendor's mood is, and none of the `secrets`. Each with a new vendor.
 * `signsIn`: there is a call before each; then the mood shows in the one, or in the other.
 */
export function inTrouble(
  vendor: () => ReturnType<typeof moody>,
  calls: Calls,
  { secrets, signsIn = false }: { secrets: readonly string[]; signsIn?: boolean },
) {
  const cases = Object.entries(calls).flatMap(([name, call]) =>
    (signsIn ? [0, 1] : [0]).map((patience) => ({
      name: patience ? `${name}, signed in` : name,
      call,
      patience,
    })),
  )
  const moods: [Exclude<Mood, 'good'>, RegExp][] = [
    ['quota', /^quota or concurrency limit exceeded/],
    ['slow', /^no answer within \d+ seconds$/],
    ['garbage', /^the vendor returned an unexpected answer$/],
    ['huge', /^the vendor(’s response is too large| returned an unexpected answer)$/],
    ['telling', /./],
  ]
  describe.each(cases)('$name', ({ call, patience }) => {
    it.each(moods)('meets a vendor that is %s', async (mood, message) => {
      const v = vendor()
      Object.assign(v, { mood, patience })
      const less = { slow: { timeout_ms: 800 }, huge: { max_bytes: 100_000 } }
      const out = hurried(await facing(v), less[mood as 'slow'] ?? {})
      const error = await call(out).then(
        () => new Error('was not refused'),
        (e: Error) => e,
      )
      expect(error.message).toMatch(message)
      expect(error.name).toBe('Refused')
      for (const secret of secrets) expect(error.message).not.toContain(secret)
      // a call of a busy machine may be given up before it arrives
      if (mood !== 'slow') expect(v.asked.length).toBeGreaterThan(patience)
    })

    it('meets nobody', async () => {
      await expect(call(await facing())).rejects.toMatchObject({
        name: 'Refused',
        message: 'the vendor cannot be reached',
      })
    })
  })
}
