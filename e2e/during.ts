import { setTimeout } from 'node:timers/promises'

/** Between two requests of the same kind. */
const PAUSE_MS = 50
/** How long a request may take longer than usual while something hangs. */
const LIMIT_MS = 3_000

/** Their part in the table of `npm run trust`. */
export const AWAY = 'requests while a database or Redis is away'

export type Answer = { what: string; status: number; ms: number; at: number }

/**
 * Sends each kind of request once, to see what it usually takes, then over and over until it is stopped. `/health`
 * needs nothing, so its slowest answer is what this machine, which may be busy, holds everything up by.
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
  let isRunning = true
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
  ])
  return {
    answers,
    /** Answers that took too long. */
    late: () => answers.filter(({ what, ms }) => ms > LIMIT_MS + heldUp + (usual.get(what) ?? 0)),
    async stop() {
      isRunning = false
      await asking
    },
  }
}
