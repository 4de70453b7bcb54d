import { customerReports as contract } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { view } from './mail-queries.ts'
import { accountNamed } from './queries.ts'

/** Audit subject: the settings as the API shows them, without the results of mails. */
export const mailSubject = (
  { mail }: Pick<Context, 'mail'>,
  scope: Scope,
  account_sid: string,
) => ({
  kind: 'customer_report_mail' as const,
  sid: account_sid,
  view: contract.mail,
  read: async (tx: Db) => {
    const account = await accountNamed(tx, scope, account_sid)
    if (!account) return undefined
    const stored = await view(tx, account_sid)
    return { ...account, ...stored, is_mail_on: mail !== undefined }
  },
})
