import { storedIn } from '../../lib/stored'

/** In this tab, so that a reload or a step back loses nothing, and two tabs may register two people. */
const inTab = <T>(key: string) => storedIn<T>(() => sessionStorage, key)

/** What somebody who registers has done so far. */
export const kept = {
  termsAccepted: inTab<boolean>('terms-accepted'),
  invite: inTab<string>('invite-code'),
  /** Registered by e-mail, with an address that is not proved yet. */
  pending: inTab<{ jwt: string; user_sid: string; email: string }>('registration'),
}
