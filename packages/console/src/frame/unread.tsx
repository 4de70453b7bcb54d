import { useUnread } from '../alerts/unread-alerts'

const MAX_SHOWN = 99

/** The number of unread alerts or open failures in the sidebar; nothing if there are none. */
export function Unread({
  of,
  provider,
}: {
  of: 'alerts' | 'failures'
  provider: string | undefined
}) {
  const counts = useUnread(provider)
  const count = of === 'alerts' ? counts?.unread : counts?.open_failures
  if (!count) return null
  return (
    <span className="sidebar-unread numbers">
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
      <span className="visually-hidden">{of === 'alerts' ? ' unread' : ' open'}</span>
    </span>
  )
}
