import { t } from '@switchroom/contract'
import { useIssueCount } from '../lib/issue-count'

const MAX_SHOWN = 99

/** Badge with the number of open issues that need attention; nothing if there are none. */
export function IssueCount({ provider }: { provider: string | undefined }) {
  const count = useIssueCount(provider)
  if (!count) return null
  return (
    <span className="sidebar-count numbers">
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
      <span className="visually-hidden"> {t('open')}</span>
    </span>
  )
}
