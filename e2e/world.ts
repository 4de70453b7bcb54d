import { afterAll, beforeEach } from 'vitest'

/**
 * Starts what the stories of a file share, before the first of them. A story that is tried again has it started anew:
 * what the first try left must neither help nor stop the second. So no story may need what another one did.
 */
export function shareWorld(start: () => unknown, stop: () => unknown) {
  let isStarted = false
  beforeEach(async ({ task }) => {
    if (isStarted && task.result?.retryCount) {
      isStarted = false
      await stop()
    }
    if (!isStarted) await start()
    isStarted = true
  })
  afterAll(async () => {
    if (isStarted) await stop()
  })
}
