import type { Context } from '../context.ts'
import * as users from '../users/queries.ts'

const SUBJECT = 'Account activation code'

/**
 * Mails a code to an address that is nobody's yet, and to anybody else that there is an account already.
 * Returns at once; without a code the mailbox has had enough, and nothing is sent.
 */
export function sendCode(ctx: Context, email: string, code: string | undefined) {
  if (!code) return
  const send = async () => {
    const known = await users.isKnown(ctx.db, 'email', email)
    await ctx.mail?.({ to: email, subject: SUBJECT, text: known ? already(ctx) : withCode(code) })
  }
  send().catch((err) => ctx.log.error({ err }, 'an activation code could not be mailed'))
}

const withCode = (code: string) =>
  `Welcome.\n\nEnter this code to finish your registration. It is good for 15 minutes:\n\n${code}\n\nIf you did not ask for it, you need not do anything.\n`

const already = ({ config }: Context) =>
  `Somebody, perhaps you, asked to register with this address. It has an account already, and nothing was changed.\n\nSign in at ${config.base_url}${config.page.ENABLE_FORGOT_PASSWORD ? `, or choose a new password at ${config.base_url}/forgot-password` : ''}\n`
