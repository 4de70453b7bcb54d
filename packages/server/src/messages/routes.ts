import { randomUUID } from 'node:crypto'
import type { api } from '@switchroom/contract'
import * as accounts from '../accounts/queries.ts'
import { Failure, found, invalidField } from '../http/failure.ts'
import { ask, newCallUrl, reasonOf } from '../http/feature-servers.ts'
import type { Handlers } from '../http/serve.ts'

export const messageRoutes: Handlers<typeof api.messages> = {
  async create({ params: { account_sid }, body, scope, ctx }) {
    found(await accounts.isVisible(ctx.db, scope, account_sid), 'account')
    // the platform's feature servers take messages where they take calls
    const url = await newCallUrl(ctx)
    if (scope.role !== 'account')
      throw invalidField(
        'account_sid',
        `unauthorized createMessage request for account ${account_sid}`,
      )
    const answer = await ask(url, { ...body, message_sid: randomUUID(), account_sid })
    if (answer.status < 200 || answer.status >= 300)
      throw new Failure('vendor_failed', reasonOf(answer))
    return answer
  },
}
