import { t, VIEW_LISTS, type ViewAlert, WATCHED_LISTS } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { Dialog } from '../ui/dialog'
import type { MenuProps } from '../ui/popups'
import { mayWrite } from './access'
import { query } from './api'
import { viewAlerts } from './endpoints'
import { messageOf } from './failure'
import type { SavedView } from './saved-views'
import { ViewAlertForm } from './view-alert-form'
import { ViewAlertState } from './view-alert-state'

// loaded when the menu of a view is opened whose list can have alerts

type WatchedList = keyof typeof WATCHED_LISTS
const listOf = (label: string) =>
  (Object.keys(WATCHED_LISTS) as WatchedList[]).find((id) => VIEW_LISTS[id] === label)

const alertsOf = (list: WatchedList) => query(viewAlerts.list, { query: { list } })

const useViewAlert = (list: WatchedList, sid: string) => {
  const alerts = useQuery(alertsOf(list))
  return { ...alerts, alert: alerts.data?.find((alert) => alert.saved_view_sid === sid) }
}

const stateText = ({ state }: ViewAlert) => {
  if (state.stopped) return t('Alert (stopped)')
  if (state.firing_since) return t('Alert (firing)')
  return state.error ? t('Alert (cannot be checked)') : t('Alert (on)')
}

/** The item of the menu of views, which says how the alert of the current one is. */
export function ViewAlertItem({
  MenuItem,
  label,
  sid,
  onOpen,
}: {
  MenuItem: Parameters<MenuProps['children']>[0]['MenuItem']
  label: string
  sid: string
  onOpen: () => void
}) {
  const list = listOf(label)
  return list ? <Item {...{ MenuItem, list, sid, onOpen }} /> : null
}

function Item({
  MenuItem,
  list,
  sid,
  onOpen,
}: {
  MenuItem: Parameters<MenuProps['children']>[0]['MenuItem']
  list: WatchedList
  sid: string
  onOpen: () => void
}) {
  const { alert } = useViewAlert(list, sid)
  if (!alert && !mayWrite()) return null
  return (
    <MenuItem
      icon={alert?.state.firing_since ? <BellRing aria-hidden /> : <Bell aria-hidden />}
      onClick={onOpen}
    >
      {alert ? stateText(alert) : t('Add an alert')}
    </MenuItem>
  )
}

type Props = { sid: string; name: string; search: SavedView['search']; onClose: () => void }

/** Adds, shows, changes and deletes the alert of a saved view. */
export function ViewAlertDialog({
  label,
  view: { sid, name, search },
  onClose,
}: {
  label: string
  view: SavedView
  onClose: () => void
}) {
  const list = listOf(label)
  return list && sid ? <Loaded {...{ list, sid, name, search, onClose }} /> : null
}

function Loaded({ list, ...props }: Props & { list: WatchedList }) {
  const { alert, isPending, error } = useViewAlert(list, props.sid)
  if (isPending) return null
  const title = t('Alert of view {name}', { name: props.name })
  return (
    <Dialog open onClose={props.onClose} title={title}>
      {error ? (
        <p role="alert">{messageOf(error)}</p>
      ) : (
        <>
          {alert && <ViewAlertState alert={alert} list={list} />}
          {mayWrite() && <ViewAlertForm key={props.sid} {...props} list={list} alert={alert} />}
        </>
      )}
    </Dialog>
  )
}
