import type { BillingRequest } from './lease.ts'

/** Name and email for invoices and receipts: the user who subscribes. API keys have no email. */
export async function emailOf({ ctx, scope, account }: BillingRequest) {
  if (!scope.user_sid) return { name: account.name, email: undefined }
  const user = await ctx.db
    .selectFrom('users')
    .select('email')
    .where('user_sid', '=', scope.user_sid)
    .executeTakeFirst()
  return { name: account.name, email: user?.email }
}
