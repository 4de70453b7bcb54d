import { useUnreadAlerts } from '../alerts/unread-alerts'

const MAX_SHOWN = 99

/** The number of unread alerts in the sidebar; nothing if there are none. */
export function Unread({ provider }: { provider: string | undefined }) {
  const unread = useUnreadAlerts(provider)
  if (!unread) return null
  return (
    <span className="sidebar-unread numbers">
      {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
      <span className="visually-hidden"> unread</span>
    </span>
  )
}
