import { t } from '@switchroom/contract'
import { auditedIn } from '../audit/audited.ts'
import type { Actor } from '../audit/record.ts'
import type { Context } from '../http/context.ts'
import { Failure, found, invalidField } from '../http/failure.ts'
import { attemptOf, checkPassword, newHash, trySecret } from '../http/password.ts'
import { endingSessions } from '../http/sessions.ts'
import * as settings from '../tenants/settings/queries.ts'
import { NO_PASSWORD } from './checks.ts'
import { lock } from './owners.ts'
import * as users from './queries.ts'
import * as userWrites from './writes.ts'

type Passwords = { old_password?: string | undefined; new_password?: string | undefined }

export async function changeOwnPassword(
  actor: Actor & { ctx: Context },
  sid: string,
  sent: Passwords,
) {
  const { ctx, scope } = actor
  const { old_password, new_password } = sent
  if (!old_password || !new_password)
    throw invalidField(
      old_password ? 'new_password' : 'old_password',
      t('new_password and old_password both required'),
    )
  if (sid !== scope.user_sid)
    throw new Failure('forbidden', t('Only the user can change a password with the old one'))
  const user = found(await users.withSid(ctx.db, sid), t('user'))
  if (user.provider !== 'local')
    throw invalidField('new_password', NO_PASSWORD, t('can not change password when using oauth2'))
  const attempt = attemptOf(actor, user)
  if (!(await trySecret(ctx, attempt, () => checkPassword(ctx, user, old_password))))
    throw new Failure('forbidden', t('old_password is incorrect'), {
      issues: [{ path: ['old_password'], message: t('old_password is incorrect') }],
    })
  if (old_password === new_password)
    throw invalidField('new_password', t('new password cannot be your old password'))
  await settings.requireGoodPassword(ctx, 'new_password', new_password, {
    name: user.name,
    email: user.email,
  })
  const hashed = await newHash(actor, new_password)
  await endingSessions(
    ctx,
    [sid],
    (tx) =>
      auditedIn(tx, actor, users.auditSubject(scope, sid), () =>
        userWrites.setPassword(tx, sid, hashed),
      ),
    // the current session continues; the user's other sessions end
    { lock, keep: { session_sid: scope.session_sid } },
  )
}
