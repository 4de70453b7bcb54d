import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { passwordThreads } from '../packages/server/src/secrets/password-threads.ts'
import { report } from '../packages/server/test/trust.ts'

/** Between two requests of the same kind. */
const PAUSE_MS = 50
/** Between two passwords that are hashed here, which takes a processor for a tenth of a second. */
const HASH_PAUSE_MS = 1_000
/** How long a request may take longer than usual while something hangs. */
const LIMIT_MS = 3_000

type Answer = { what: string; status: number; ms: number; at: number }

/**
 * Sends each kind of request once, to see what it usually takes, then over and over until it is stopped. `/health`
 * needs nothing, so its slowest answer is what this machine, which may be busy, holds everything up by. A log-in waits
 * for a hash too, whose priority is below that of requests: here one is made as the server does, to see what holds
 * these up.
 */
export async function keepAsking(url: string, requests: Record<string, () => Promise<Response>>) {
  const send = async (what: string, request: () => Promise<Response>): Promise<Answer> => {
    const at = performance.now()
    const answer = await request()
    await answer.arrayBuffer()
    return { what, status: answer.status, ms: performance.now() - at, at }
  }
  const kinds = Object.entries(requests)
  const usual = new Map<string, number>()
  for (const [what, request] of kinds) usual.set(what, (await send(what, request)).ms)

  const answers: Answer[] = []
  let heldUp = 0
  let hashHeldUp = 0
  let isRunning = true
  const passwords = passwordThreads(1)
  const hash = async () => {
    const at = performance.now()
    await passwords.hash('correct horse')
    return performance.now() - at
  }
  // the usual log-in has a hash as well
  const usualHash = await hash()
  async function repeatHash() {
    while (isRunning) {
      hashHeldUp = Math.max(hashHeldUp, (await hash()) - usualHash)
      await setTimeout(HASH_PAUSE_MS)
    }
    await passwords.close()
  }
  const repeat = async (
    what: string,
    request: () => Promise<Response>,
    take: (a: Answer) => void,
  ) => {
    while (isRunning) {
      take(await send(what, request))
      await setTimeout(PAUSE_MS)
    }
  }
  const asking = Promise.all([
    ...kinds.map(([what, request]) => repeat(what, request, (a) => answers.push(a))),
    repeat(
      'health',
      () => fetch(`${url}/health`),
      ({ ms }) => {
        heldUp = Math.max(heldUp, ms)
      },
    ),
    repeatHash(),
  ])
  async function stop() {
    isRunning = false
    await asking
  }
  return {
    answers,
    stop,
    /**
     * Stops when each kind of request was answered since everything works again. Each answer was in time, and right
     * or a 503; since `recoveredAt` all of them are right. Each kind that is not right with 200 has its status in
     * `right`.
     */
    async expectServed(database: string, recoveredAt: number, right: Record<string, number> = {}) {
      const isLater = ({ at }: Answer) => at > recoveredAt
      const kindsLater = () => new Set(answers.filter(isLater).map(({ what }) => what)).size
      await expect.poll(kindsLater, { timeout: 15_000 }).toBe(kinds.length)
      await setTimeout(PAUSE_MS * 10)
      await stop()
      const isLate = ({ what, ms }: Answer) =>
        ms > LIMIT_MS + heldUp + usual.get(what)! + (what === 'login' ? hashHeldUp : 0)
      expect(answers.filter(isLate)).toEqual([])
      const wrong = answers.filter(({ what, status }) => status !== (right[what] ?? 200))
      expect(wrong.filter(({ status }) => status !== 503)).toEqual([])
      expect(wrong.filter(isLater)).toEqual([])
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

/** Waits until `/ready` says 200. Resolves to when it did. */
export async function recovered(url: string, timeout = 10_000) {
  const isReady = async () => (await readiness(url))[0]
  await expect.poll(isReady, { timeout }).toBe(200)
  return performance.now()
}
