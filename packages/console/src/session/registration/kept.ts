import { storedIn } from '../../lib/stored'

/** Per tab, so that a reload or Back loses nothing, and two tabs can register two users. */
const inTab = <T>(key: string) => storedIn<T>(() => sessionStorage, key)

/** Progress of a registration. */
export const kept = {
  termsAccepted: inTab<boolean>('terms-accepted'),
  invite: inTab<string>('invite-code'),
  /** Registered by email, which is not verified yet. */
  pending: inTab<{ jwt: string; user_sid: string; email: string }>('registration'),
}
