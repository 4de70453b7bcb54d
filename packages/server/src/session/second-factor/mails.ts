import type { Context } from '../../http/context.ts'

/** Tells a user by email that their second factors changed. Returns at once. */
export function mailUser(
  { mail, config, log }: Pick<Context, 'mail' | 'config' | 'log'>,
  user: { name: string; email: string },
  what: string,
) {
  const link = config.base_url ? `: ${config.base_url}/internal/security` : ''
  const text = `Hi ${user.name},\n\n${what}\n\nIf this was not you, change your password and check your second factors${link}\n`
  mail?.({ to: user.email, subject: 'Your second factor', text }).catch((err) =>
    log.error({ err }, 'change of a second factor could not be mailed'),
  )
}
