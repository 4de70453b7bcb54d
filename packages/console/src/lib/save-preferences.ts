import type { Preferences } from '@switchroom/contract'
import { toastError } from '../ui/toast'
import { messageOf } from './failure'

/** Changes the user's preferences, immediately in this browser. Shows a message if they could not be saved. Never rejects. */
export const savePreferences = (change: Partial<Preferences>): Promise<boolean> =>
  import('./preferences').then(
    ({ save }) => save(change),
    (error: unknown) => {
      toastError(messageOf(error))
      return false
    },
  )
