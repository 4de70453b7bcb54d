import { numberText, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../lib/api'
import { liveCalls } from '../../lib/endpoints'
import { PlainLink } from '../../lib/plain-link'

const LIVE_MS = 5_000
/** Polled beside the screen: a failure shows in its place, and the next poll is the retry. */
const POLLED = { meta: { background: true as const }, retry: false }

type Of = { provider: string; account_sid: string | undefined; filtered: string | undefined }

const withAccount = (path: string, account_sid: string | undefined) =>
  account_sid ? `${path}?account_sid=${account_sid}` : path

/** Calls in progress. */
export function CallsNow({ provider, account_sid, filtered }: Of) {
  const owner = account_sid ? { account_sid } : { service_provider_sid: provider }
  const { data, error } = useQuery({
    ...query(liveCalls.list, { query: { ...owner, page: 1, page_size: 1 } }),
    ...POLLED,
    refetchInterval: LIVE_MS,
  })
  const limit = data?.provider?.limit
  return (
    <section aria-label={t('Now')}>
      <span className="now-name">{t('Calls now')}</span>{' '}
      <PlainLink href={withAccount('/internal/live', filtered)} className="numbers">
        {!data
          ? error
            ? t('Unknown')
            : '…'
          : limit
            ? t('{calls} of {limit}', { calls: numberText(data.total), limit: numberText(limit) })
            : numberText(data.total)}
      </PlainLink>
    </section>
  )
}
