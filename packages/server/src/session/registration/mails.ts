import type { Context } from '../../http/context.ts'
import * as takenUsers from '../../users/taken.ts'

const SUBJECT = 'Account activation code'

/**
 * Mails a code to a new address, or a notice that there already is an account. Returns at once. Without a
 * code the mailbox is at its limit, and nothing is sent.
 */
export function sendCode(ctx: Context, email: string, code: string | undefined) {
  if (!code) return
  const send = async () => {
    const known = await takenUsers.isKnown(ctx.db, 'email', email)
    await ctx.mail?.({
      to: email,
      subject: SUBJECT,
      text: known ? existingAccountText(ctx) : codeText(code),
    })
  }
  send().catch((err) => ctx.log.error({ err }, 'activation code could not be mailed'))
}

const codeText = (code: string) =>
  `Welcome.\n\nEnter this code to finish your registration. It is valid for 15 minutes:\n\n${code}\n\nIf you did not request it, you can ignore this email.\n`

const existingAccountText = ({ config }: Context) =>
  `Someone, perhaps you, tried to register with this email address. It already has an account, and nothing was changed.\n\nLog in at ${config.base_url}${config.page.ENABLE_FORGOT_PASSWORD ? `, or set a new password at ${config.base_url}/forgot-password` : ''}\n`
