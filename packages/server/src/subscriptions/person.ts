import * as users from '../users/queries.ts'
import type { Asking } from './held.ts'

/** Whom invoices and receipts go to: the person who subscribes. A key is nobody. */
export async function emailOf({ ctx, scope, account }: Asking) {
  const user = scope.user_sid ? await users.withSid(ctx.db, scope.user_sid) : undefined
  return { name: account.name, email: user?.email }
}
