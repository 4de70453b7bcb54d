import { t, verdictOf } from '@switchroom/contract'
import { ownedBy } from '../../http/tenancy.ts'
import { findingOf, findingsAmongCalls, stateWithoutFindings } from './inbox.ts'
import { inactive, type StatusReader } from './status-reader.ts'

export const readAccounts: StatusReader = async ({ db }, scope, sids, inboxes) => {
  const rows = await db
    .selectFrom('accounts')
    .select(['account_sid as sid', 'is_active', 'service_provider_sid'])
    .where('account_sid', 'in', sids)
    .where(ownedBy('accounts', scope))
    .execute()
  return Promise.all(
    rows.map(async ({ sid, is_active, service_provider_sid }) => {
      if (is_active !== 1) return { sid, ...inactive(t('The account is inactive.')) }
      const inbox = await inboxes(service_provider_sid)
      const reported = inbox.issues.filter((issue) => issue.account_sid === sid).map(findingOf)
      const found = [...reported, ...findingsAmongCalls(inbox, 'account', sid)]
      return { sid, ...verdictOf(found, stateWithoutFindings(inbox, 'account', sid)) }
    }),
  )
}
