import { t, verdictOf } from '@switchroom/contract'
import { ownedBy } from '../../http/tenancy.ts'
import { findingsAmongCalls, findingsOfAlerts, stateWithoutFindings } from './inbox.ts'
import { inactive, type StatusReader } from './status-reader.ts'

export const readApplications: StatusReader = async ({ db }, scope, sids, inboxes) => {
  const rows = await db
    .selectFrom('applications')
    .leftJoin('accounts', 'accounts.account_sid', 'applications.account_sid')
    .leftJoin('webhooks as call', 'call.webhook_sid', 'applications.call_hook_sid')
    .leftJoin('webhooks as status', 'status.webhook_sid', 'applications.call_status_hook_sid')
    .leftJoin('webhooks as message', 'message.webhook_sid', 'applications.messaging_hook_sid')
    .select([
      'applications.application_sid as sid',
      'applications.account_sid',
      'accounts.is_active',
      'accounts.service_provider_sid',
      'call.url as call_url',
      'status.url as status_url',
      'message.url as message_url',
    ])
    .where('applications.application_sid', 'in', sids)
    .where(ownedBy('applications', scope))
    .execute()
  return Promise.all(
    rows.map(async (row) => {
      const { sid, account_sid, is_active, call_url, status_url, message_url } = row
      if (account_sid && is_active !== 1) return { sid, ...inactive(t('The account is inactive.')) }
      const inbox = await inboxes(row.service_provider_sid)
      const urls = [call_url, status_url, message_url].flatMap((url) => hostAndPath(url) ?? [])
      const reported = inbox.alerts.filter(
        (alert) =>
          alert.account_sid === account_sid &&
          urls.some((url) => mentionsUrl(`${alert.message} ${alert.detail}`, url)),
      )
      const found = [
        ...findingsOfAlerts(reported),
        ...findingsAmongCalls(inbox, 'application', sid),
      ]
      return { sid, ...verdictOf(found, stateWithoutFindings(inbox, 'application', sid)) }
    }),
  )
}

/** A webhook's host and path, as alerts contain them. Undefined if the text is not a URL. */
function hostAndPath(text: string | null) {
  if (!text || !URL.canParse(text)) return undefined
  const { host, pathname } = new URL(text)
  return `${host}${pathname.replace(/\/$/, '')}`
}

/** True if a text contains this host and path, other than as part of a longer URL. */
const mentionsUrl = (text: string, url: string) =>
  new RegExp(`(?<![\\w.-])${RegExp.escape(url)}(?!\\/?[\\w%-]|:\\d|\\.\\w)`).test(text)
