import { t } from '@switchroom/contract'
import { redirect } from '@tanstack/react-router'
import { atLeast, refuseViewOnly } from './access'
import { statusOf } from './failure'
import { setNotice } from './notice'
import { requireFeatures } from './require-features'
import { claims, homeHref } from './session'

/** Redirects users without permission, with a notice. */
export function redirectWithNotice(reason: string): never {
  setNotice(reason)
  throw redirect({ href: homeHref(), replace: true })
}

export function requireRole(role: 'service_provider' | 'admin', reason: string) {
  if (!atLeast(role)) redirectWithNotice(reason)
}

/** Account users go to their own account. */
export function requireOwnAccount(account_sid: string) {
  const own = claims()?.scope === 'account' ? claims()?.account_sid : undefined
  if (own && own !== account_sid) redirectWithNotice(t('You do not have access.'))
}

/**
 * Redirects provider users from an account they may not see, or that does not exist. Preloading on hover
 * does not redirect.
 */
export async function orRedirect<T>(cause: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (e) {
    const kept = [400, 403, 404].includes(statusOf(e) ?? 0)
    if (kept && cause !== 'preload' && claims()?.scope === 'service_provider')
      redirectWithNotice(t('You do not have access.'))
    throw e
  }
}

export async function requireMayAdd() {
  refuseViewOnly()
  await requireFeatures()
}
