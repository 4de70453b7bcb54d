/**
 * Runs `work` and yields what it reports while it runs, the newest only, and at last what it returns.
 * When nobody reads on, `stopped` becomes true for the work to see.
 */
export async function* progressOf<P, R>(
  work: (report: (progress: P) => void, stopped: () => boolean) => Promise<R>,
): AsyncGenerator<P, R> {
  let latest: P | undefined
  let over = false
  let stopped = false
  let wake = () => {}
  const running = work(
    (progress) => {
      latest = progress
      wake()
    },
    () => stopped,
  ).finally(() => {
    over = true
    wake()
  })
  // heard of below; until then it is nobody's unhandled rejection
  running.catch(() => {})
  try {
    while (!over) {
      if (latest === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (latest === undefined) continue
      const progress = latest
      latest = undefined
      yield progress
    }
    return await running
  } finally {
    stopped = true
  }
}
