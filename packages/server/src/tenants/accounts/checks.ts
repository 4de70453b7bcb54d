import { type api, type Received, t } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure, invalidField, notPermitted } from '../../http/failure.ts'
import { passwordHolder, requirePassword } from '../../http/password.ts'
import type { RequestMeta, Scope } from '../../http/scope.ts'
import * as accounts from './queries.ts'

type Body = Received<typeof api.accounts.update>['body']

/** Fields that only providers and admins may change; the debug log is for admins alone. */
const FOR_PROVIDERS = ['is_active', 'disable_cdrs', 'device_to_call_ratio'] as const
const FOR_ADMINS = ['enable_debug_log'] as const
/** Fields that are ignored when a provider clones an account. */
export const NOT_FOR_PROVIDERS = { enable_debug_log: undefined }

type Decisions = Record<(typeof FOR_PROVIDERS | typeof FOR_ADMINS)[number], unknown>

/** Throws 403 for fields the caller may not change. Repeating the stored value is fine. */
export function refuseDecisions(scope: Scope, body: Body, stored: Decisions) {
  const barred = [
    ...(scope.role === 'account' ? FOR_PROVIDERS : []),
    ...(scope.role === 'admin' ? [] : FOR_ADMINS),
  ]
  const field = barred.find((key) => body[key] !== undefined && body[key] !== stored[key])
  if (field) throw notPermitted(field)
}

export function updatableFields({ limits, service_provider_sid: _, ...body }: Body) {
  const { bucket_credential: bucket, registration_hook, queue_event_hook, ...columns } = body
  return { hooks: { registration_hook, queue_event_hook }, bucket, limits, columns }
}

const APPLICATIONS = ['device_calling_application_sid', 'siprec_hook_sid'] as const

/** An account's device and recording applications must be its own. */
export async function checkApplications(db: Db, account_sid: string, body: Body) {
  const applications = await accounts.applicationsBySid(
    db,
    APPLICATIONS.map((field) => body[field]),
  )
  for (const field of APPLICATIONS) {
    const sid = body[field]
    if (sid && applications.get(sid)?.account_sid !== account_sid)
      throw invalidField(field, t('No such application'))
  }
}

type Deleter = { ctx: Context; scope: Scope; meta: RequestMeta }

/** Checks who deletes an account: its own users only in the hosted variant, and with their password. */
export async function checkDeleter(actor: Deleter, password: string | undefined) {
  const { ctx, scope } = actor
  const deletesItself = scope.role === 'account'
  if (deletesItself && !(ctx.config.page.ENABLE_HOSTED_SYSTEM && scope.user_sid))
    throw new Failure('forbidden', t('insufficient permissions'))
  const user = scope.user_sid ? await passwordHolder(ctx.db, scope.user_sid) : undefined
  // others have none
  if (user?.provider !== 'local') return
  if (password !== undefined || deletesItself)
    await requirePassword(actor, user, 'password', password ?? '')
}
