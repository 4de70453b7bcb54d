import { randomUUID } from 'node:crypto'
import { type api, t } from '@switchroom/contract'
import { Failure, found, invalidField } from '../http/failure.ts'
import { newCallUrl, reasonOf, relay } from '../http/feature-servers.ts'
import type { Handlers } from '../http/serve.ts'
import * as accounts from '../tenants/accounts/queries.ts'

export const messageRoutes: Handlers<typeof api.messages> = {
  async create({ params: { account_sid }, body, scope, ctx }) {
    found(await accounts.findVisible(ctx.db, scope, account_sid), t('account'))
    // feature servers take messages at the same address as calls
    const url = await newCallUrl(ctx)
    if (scope.role !== 'account')
      throw invalidField(
        'account_sid',
        t('unauthorized createMessage request for account {account_sid}', { account_sid }),
      )
    const answer = await relay(url, { ...body, message_sid: randomUUID(), account_sid })
    if (answer.status < 200 || answer.status >= 300)
      throw new Failure('vendor_failed', reasonOf(answer))
    return answer
  },
}
