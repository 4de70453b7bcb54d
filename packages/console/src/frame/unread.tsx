import { t } from '@switchroom/contract'
import { useUnread } from '../alerts/unread-alerts'

const MAX_SHOWN = 99

/** The number of unread alerts and open failures; nothing if there are none. */
export function Unread({
  of,
  provider,
}: {
  of: readonly ('alerts' | 'failures')[]
  provider: string | undefined
}) {
  if (of.length === 0) return null
  return <Count of={of} provider={provider} />
}

function Count({ of, provider }: Parameters<typeof Unread>[0]) {
  const counts = useUnread(provider)
  const unread = (of.includes('alerts') && counts?.unread) || 0
  const open = (of.includes('failures') && counts?.open_failures) || 0
  const count = unread + open
  if (count === 0) return null
  const what = unread === 0 ? t('open') : open === 0 ? t('unread') : t('unread and open')
  return (
    <span className="sidebar-unread numbers">
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
      <span className="visually-hidden"> {what}</span>
    </span>
  )
}
