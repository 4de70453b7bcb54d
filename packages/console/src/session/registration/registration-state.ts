import { storageEntry } from '../../lib/storage-entry'

/** Per tab, so that a reload or Back loses nothing, and two tabs can register two users. */
const tabEntry = <T>(key: string) => storageEntry<T>(() => sessionStorage, key)

/** Progress of a registration. */
export const registrationState = {
  termsAccepted: tabEntry<boolean>('terms-accepted'),
  invite: tabEntry<string>('invite-code'),
  /** Registered by email, which is not verified yet. */
  pending: tabEntry<{ jwt: string; user_sid: string; email: string }>('registration'),
}
