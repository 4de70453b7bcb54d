import { useUnreadAlerts } from '../alerts/unread-alerts'

const MOST = 99

/** How many alerts nobody has looked at, beside their place in the rail. None is nothing. */
export function Unread({ provider }: { provider: string | undefined }) {
  const unread = useUnreadAlerts(provider)
  if (!unread) return null
  return (
    <span className="sidebar-unread numbers">
      {unread > MOST ? `${MOST}+` : unread}
      <span className="visually-hidden"> unread</span>
    </span>
  )
}
