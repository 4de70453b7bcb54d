import { expect } from 'vitest'
import { report } from '../packages/server/test/trust.ts'
import { pause } from './wait.ts'

/** Between two requests of the same kind. */
const PAUSE_MS = 200

type Answer = { what: string; status: number; number: number }

/** Sends each kind of request over and over until it is stopped. */
export async function keepAsking(requests: Record<string, () => Promise<Response>>) {
  const kinds = Object.keys(requests)
  const answers: Answer[] = []
  let begun = 0
  let isRunning = true
  const send = async (what: string) => {
    const number = begun++
    const answer = await requests[what]!()
    await answer.arrayBuffer()
    answers.push({ what, status: answer.status, number })
  }
  for (const what of kinds) await send(what)
  const asking = Promise.all(
    kinds.map(async (what) => {
      while (isRunning) {
        await send(what)
        await pause(PAUSE_MS)
      }
    }),
  )
  async function stop() {
    isRunning = false
    await asking
  }
  const isSince =
    (first: number) =>
    ({ number }: Answer) =>
      number >= first
  /** Waits until each kind of request is answered this often, whatever the answers are, of those that begin from now on. */
  async function answered(times = 1) {
    const first = begun
    const fewest = () => {
      const since = answers.filter(isSince(first)).map(({ what }) => what)
      return Math.min(...kinds.map((kind) => since.filter((what) => what === kind).length))
    }
    await expect.poll(fewest, { interval: 20 }).toBeGreaterThanOrEqual(times)
  }
  return {
    answered,
    stop,
    /**
     * Stops when each kind of request was answered since everything works again, which is now. Every answer was right
     * or a 503; those from now on are right. Each kind that is not right with 200 has its status in `right`.
     */
    async expectServed(database: string, right: Record<string, number> = {}) {
      const recoveredAt = begun
      await answered(3)
      await stop()
      const wrong = answers.filter(({ what, status }) => status !== (right[what] ?? 200))
      expect(wrong.filter(({ status }) => status !== 503)).toEqual([])
      expect(wrong.filter(isSince(recoveredAt))).toEqual([])
      report({
        part: 'requests while a database or Redis is away',
        tried: answers.length,
        found: { answered: answers.length - wrong.length, 'refused with 503': wrong.length },
        database,
      })
    },
  }
}

/** The status and body of `/ready`. */
export async function readiness(url: string) {
  const answer = await fetch(`${url}/ready`)
  return [answer.status, await answer.json()]
}

/** Waits until `/ready` says 200. */
export const recovered = (url: string) =>
  expect.poll(async () => (await readiness(url))[0]).toBe(200)
