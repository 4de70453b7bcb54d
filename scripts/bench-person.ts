import { parentPort, workerData } from 'node:worker_threads'

/**
 * As a person at the console: one request after another, with a pause. In a thread of its own, so that what
 * else the measuring process does is not measured. Told anything, it answers the milliseconds of each and ends.
 */
const { url, token } = workerData as { url: string; token: string }
const asked: number[] = []
parentPort!.once('message', () => {
  parentPort!.postMessage(asked)
  process.exit()
})
for (;;) {
  const began = performance.now()
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  asked.push(performance.now() - began)
  await new Promise((r) => setTimeout(r, 20))
}
