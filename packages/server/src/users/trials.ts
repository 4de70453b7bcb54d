import { EMAIL_NOT_VERIFIED, t } from '@switchroom/contract'
import type { Context } from '../http/context.ts'
import { Failure, invalidField } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import { hourly } from '../live/hourly.ts'

/**
 * In the hosted variant an address logs in, resets passwords and is unique, so account users must verify a
 * new one first.
 */
export function refuseUnproved({ config }: Context, scope: Scope, stored: string, email: string) {
  if (config.page.ENABLE_HOSTED_SYSTEM && scope.role === 'account' && email !== stored)
    throw invalidField('email', EMAIL_NOT_VERIFIED)
}

/** New names and addresses that an account may try per hour. */
const TRIES = 30

/** In the hosted variant anyone can have an account and could probe which users exist. */
export async function refuseTrials(ctx: Context, scope: Scope) {
  if (!ctx.config.page.ENABLE_HOSTED_SYSTEM || scope.role !== 'account') return
  const retry_after = await hourly(ctx, `user-names:${scope.account_sid}`, TRIES)
  if (retry_after > 0)
    throw new Failure('too_many', t('Too many requests, please try again later.'), { retry_after })
}
