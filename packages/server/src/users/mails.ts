import type { Context } from '../http/context.ts'

/** Tells a user by email that somebody else has set their password. Returns at once. */
export function mailPasswordSet(
  { mail, config, log }: Pick<Context, 'mail' | 'config' | 'log'>,
  { name, email }: { name: string; email: string },
) {
  const link = config.base_url ? `: ${config.base_url}/` : ''
  const text = `Hi ${name},\n\nSomebody who manages your log-in as ${name} has set a temporary password for it, and you were logged out. You choose a new password when you log in next${link}\n\nIf you did not expect this, ask who manages your account.\n`
  mail?.({ to: email, subject: 'Your password was set', text }).catch((err) =>
    log.error({ err }, 'a set password could not be mailed'),
  )
}
