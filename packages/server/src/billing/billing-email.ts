import * as users from '../users/queries.ts'
import type { BillingRequest } from './lease.ts'

/** Name and email for invoices and receipts: the user who subscribes. API keys have no email. */
export async function emailOf({ ctx, scope, account }: BillingRequest) {
  if (!scope.user_sid) return { name: account.name, email: undefined }
  return { name: account.name, email: await users.emailOf(ctx.db, scope.user_sid) }
}
