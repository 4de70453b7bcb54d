import { claims } from '../session'

const LIFETIME_MS = 10 * 60_000
let remembered: { user_sid: string; password: string; until: number } | undefined

/**
 * Keeps the password of a log-in that must set up a second factor next, which asks for it. In memory only:
 * after a reload it is asked for again.
 */
export const rememberPassword = (user_sid: string, password: string) => {
  remembered = { user_sid, password, until: Date.now() + LIFETIME_MS }
}

export const forgetPassword = () => {
  remembered = undefined
}

export const rememberedPassword = () =>
  remembered && remembered.until > Date.now() && remembered.user_sid === claims()?.user_sid
    ? remembered.password
    : undefined
