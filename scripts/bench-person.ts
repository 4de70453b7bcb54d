import { parentPort, workerData } from 'node:worker_threads'

/**
 * Simulates a person at the console: one request after another, 20 ms apart. Runs in its own thread so that the
 * benchmark's load does not distort the times. On any message it posts the duration of each request in
 * milliseconds and exits.
 */
const { url, token } = workerData as { url: string; token: string }
const durations: number[] = []
parentPort!.once('message', () => {
  parentPort!.postMessage(durations)
  process.exit()
})
for (;;) {
  const began = performance.now()
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  durations.push(performance.now() - began)
  await new Promise((r) => setTimeout(r, 20))
}
