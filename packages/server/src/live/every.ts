/**
 * Repeats a task, with a pause after each run, so that runs never overlap. Of consecutive failures only the
 * first is reported. `stop` waits for a current run.
 */
export function every(
  pause_ms: number,
  task: () => Promise<unknown>,
  { onError, atOnce = false }: { onError: (error: unknown) => void; atOnce?: boolean },
) {
  let stopped = false
  let failing = false
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const run = async () => {
    try {
      await task()
      failing = false
    } catch (error) {
      if (!failing) onError(error)
      failing = true
    }
    if (!stopped) pause()
  }
  const pause = () => {
    timer = setTimeout(() => {
      running = run()
    }, pause_ms).unref()
  }
  if (atOnce) running = run()
  else pause()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
