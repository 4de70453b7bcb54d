import { every } from '../../live/every.ts'
import { failureLog } from '../kit/failure-log.ts'
import type { Kind } from '../kit/formats.ts'
import { restoreOnce } from './at-start.ts'

const FORGET_EVERY_MS = 20_000

/** Forgets expired files, now and while the store is open; restored files as soon as they are there. */
export function expiring(kind: Kind, what: string, folder: string, forget: () => void) {
  forget()
  const expiry = failureLog(`Expiry of ${what}`)
  let isClosing = false
  const restoring = restoreOnce(kind, folder, () => isClosing)
    .then(forget)
    .catch(expiry.failed)
  const forgetting = every(
    FORGET_EVERY_MS,
    async () => {
      forget()
      expiry.worked()
    },
    { onError: expiry.failed },
  )
  return {
    async stop() {
      isClosing = true
      await restoring
      await forgetting.stop()
    },
  }
}
