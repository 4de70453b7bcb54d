import { t, VIEW_LISTS, type ViewAlert, WATCHED_LISTS } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { Button } from '../ui/button'
import { Dialog, DialogFoot } from '../ui/dialog'
import { NumberField } from '../ui/number-field'
import type { MenuProps } from '../ui/popups'
import { SelectField } from '../ui/select'
import { toastSuccess } from '../ui/toast'
import { mayWrite, ownAccount } from './access'
import { query, send } from './api'
import { alertDestinations, viewAlerts } from './endpoints'
import { issueOn, messageOf } from './failure'
import type { SavedView } from './saved-views'
import { useCurrentProvider } from './use-provider'
import { ViewAlertDestinations } from './view-alert-destinations'
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

type Props = { sid: string; name: string; onClose: () => void }

/** Adds, shows, changes and deletes the alert of a saved view. */
export function ViewAlertDialog({
  label,
  view: { sid, name },
  onClose,
}: {
  label: string
  view: SavedView
  onClose: () => void
}) {
  const list = listOf(label)
  return list && sid ? <Loaded {...{ list, sid, name, onClose }} /> : null
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
          {mayWrite() && <AlertForm key={props.sid} {...props} list={list} alert={alert} />}
        </>
      )}
    </Dialog>
  )
}

const COMPARISONS = [
  { value: 'more', label: t('more than') },
  { value: 'fewer', label: t('fewer than') },
]

function AlertForm({
  list,
  sid,
  alert,
  onClose,
}: Props & { list: WatchedList; alert: ViewAlert | undefined }) {
  const provider = useCurrentProvider()
  const [comparison, setComparison] = useState<ViewAlert['comparison']>(alert?.comparison ?? 'more')
  const [threshold, setThreshold] = useState<number | null>(alert?.threshold ?? 20)
  const [minutes, setMinutes] = useState<number | null>(alert?.minutes ?? 10)
  const [quiet, setQuiet] = useState<number | null>(alert?.quiet_minutes ?? 60)
  const [sids, setSids] = useState(alert?.alert_destination_sids ?? [])
  const account_sid = ownAccount()
  const service_provider_sid = alert?.service_provider_sid ?? provider
  const destinations = useQuery({
    ...query(alertDestinations.list, {
      query: {
        ...(account_sid ? { account_sid } : { service_provider_sid }),
        ...{ page: 1, page_size: 1_000, sort: 'name' },
      },
    }),
    // a provider’s list has those of its accounts too
    select: ({ data }) => data.filter((d) => d.account_sid === (account_sid ?? null)),
  })
  const known = destinations.data?.map((d) => d.alert_destination_sid)
  const params = { saved_view_sid: sid }
  const done = (text: string) => () => {
    toastSuccess(text)
    onClose()
  }
  const save = useMutation({
    mutationFn: () =>
      send(viewAlerts.set, {
        params,
        body: {
          comparison,
          // what is empty is refused, with an error on the field
          threshold: threshold ?? Number.NaN,
          minutes: minutes ?? Number.NaN,
          quiet_minutes: quiet ?? Number.NaN,
          alert_destination_sids: sids.filter((one) => known?.includes(one)),
          ...(!account_sid && { service_provider_sid }),
        },
      }),
    onSuccess: done(t('Alert saved')),
  })
  const remove = useMutation({
    mutationFn: () => send(viewAlerts.remove, { params }),
    onSuccess: done(t('Alert deleted')),
  })
  const submit = (e: FormEvent) => {
    e.preventDefault()
    save.mutate()
  }
  const on = (field: string) => issueOn(save.error, field)
  const FIELDS = ['threshold', 'minutes', 'quiet_minutes']
  const other = remove.error ?? (FIELDS.some((field) => on(field)) ? null : save.error)
  return (
    <form onSubmit={submit} noValidate>
      <div className="view-alert-condition">
        <SelectField
          label={t('When there are')}
          options={COMPARISONS}
          value={comparison}
          onChange={(value) => setComparison(value === 'fewer' ? 'fewer' : 'more')}
        />
        <NumberField
          label={list === 'alerts' ? t('Alerts') : t('Calls')}
          min={0}
          value={threshold}
          onChange={setThreshold}
          error={on('threshold')}
        />
        <NumberField
          label={t('Within minutes')}
          min={5}
          value={minutes}
          onChange={setMinutes}
          error={on('minutes')}
        />
      </div>
      {list === 'recent_calls' && (
        <p className="view-alert-hint">
          {t(
            'A call counts once it has ended, at the time it began. The view’s own time is not used.',
          )}
        </p>
      )}
      <NumberField
        label={t('Quiet minutes after an alert')}
        min={5}
        value={quiet}
        onChange={setQuiet}
        help={t('There is no other alert within this time.')}
        error={on('quiet_minutes')}
      />
      <ViewAlertDestinations
        destinations={destinations}
        chosen={sids}
        onChange={setSids}
        isOfAccount={!!account_sid}
      />
      {other && (
        <p role="alert" className="view-alert-error">
          {messageOf(other)}
        </p>
      )}
      <DialogFoot>
        {alert && (
          <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {t('Delete alert')}
          </Button>
        )}
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" look="primary" busy={save.isPending}>
          {t('Save')}
        </Button>
      </DialogFoot>
    </form>
  )
}
