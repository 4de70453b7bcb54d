import {
  denominatorOf,
  isOneOf,
  t,
  VIEW_MEASURES,
  type ViewAlert,
  type WatchedList,
} from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { Button } from '../ui/button'
import { DialogFoot } from '../ui/dialog'
import { NumberField } from '../ui/number-field'
import { SelectField } from '../ui/select'
import { toastSuccess } from '../ui/toast'
import { ownAccount } from './access'
import { query, send } from './api'
import { alertDestinations, viewAlerts } from './endpoints'
import { issueOn, messageOf } from './failure'
import type { SavedView } from './saved-views'
import { useCurrentProvider } from './use-provider'
import { ViewAlertDestinations } from './view-alert-destinations'
import { conditionText, measureText } from './view-alert-text'

type Measure = ViewAlert['measure']
const COMPARISONS: Record<'rows' | 'percent', { value: string; label: string }[]> = {
  rows: [
    { value: 'more', label: t('more than') },
    { value: 'fewer', label: t('fewer than') },
  ],
  percent: [
    { value: 'more', label: t('more than') },
    { value: 'fewer', label: t('less than') },
  ],
}
/** Initial values. The baseline is compared over an hour, in which most calls end. */
const DEFAULTS: Record<Measure, Pick<ViewAlert, 'comparison' | 'threshold' | 'minutes'>> = {
  rows: { comparison: 'more', threshold: 20, minutes: 10 },
  share: { comparison: 'more', threshold: 5, minutes: 10 },
  usual: { comparison: 'fewer', threshold: 50, minutes: 60 },
}

/** Adds, changes and deletes the alert of a view. */
export function ViewAlertForm({
  list,
  sid,
  search,
  alert,
  onClose,
}: {
  list: WatchedList
  sid: string
  search: SavedView['search']
  alert: ViewAlert | undefined
  onClose: () => void
}) {
  const provider = useCurrentProvider()
  const [measure, setMeasure] = useState<Measure>(alert?.measure ?? 'rows')
  const first = alert ?? DEFAULTS.rows
  const [comparison, setComparison] = useState(first.comparison)
  const [threshold, setThreshold] = useState<number | null>(first.threshold)
  const [minutes, setMinutes] = useState<number | null>(first.minutes)
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
          measure,
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
  const FIELDS = ['measure', 'threshold', 'minutes', 'quiet_minutes']
  const other = remove.error ?? (FIELDS.some((field) => on(field)) ? null : save.error)
  const choose = (chosen: Measure) => {
    const { comparison, threshold, minutes } = alert?.measure === chosen ? alert : DEFAULTS[chosen]
    setMeasure(chosen)
    setComparison(comparison)
    setThreshold(threshold)
    setMinutes(minutes)
  }
  const isPercent = measure !== 'rows'
  return (
    <form onSubmit={submit} noValidate>
      {list === 'recent_calls' && (
        <MeasureField value={measure} onChange={choose} search={search} error={on('measure')} />
      )}
      <div className="view-alert-condition">
        <SelectField
          label={isPercent ? t('When it is') : t('When there are')}
          options={COMPARISONS[isPercent ? 'percent' : 'rows']}
          value={comparison}
          onChange={(value) => setComparison(value === 'fewer' ? 'fewer' : 'more')}
        />
        <NumberField
          label={isPercent ? t('Percent') : list === 'alerts' ? t('Alerts') : t('Calls')}
          min={0}
          decimals={isPercent}
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
      {isPercent && threshold !== null && minutes !== null && (
        <p className="view-alert-hint">
          <strong>{conditionText({ measure, comparison, threshold, minutes }, list)}</strong>
        </p>
      )}
      {isPercent && <p className="view-alert-hint">{measureText(measure, search)}</p>}
      {list === 'recent_calls' && (
        <p className="view-alert-hint">
          {t(
            'A call counts once it has ended, at the time it began. The view’s own time is not used.',
          )}{' '}
          {isPercent &&
            t(
              'Calls still in progress are missing, so choose far more minutes than most calls last.',
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

/** Measures offered for the view. A share needs a view with an outcome filter. */
function MeasureField({
  value,
  onChange,
  search,
  error,
}: {
  value: Measure
  onChange: (measure: Measure) => void
  search: SavedView['search']
  error: string | undefined
}) {
  const hasShare = denominatorOf(search) !== undefined
  return (
    <SelectField
      label={t('Measure')}
      options={[
        { value: 'rows', label: t('Number of calls') },
        { value: 'share', label: t('Share of calls, in percent'), disabled: !hasShare },
        { value: 'usual', label: t('Compared with the usual number, in percent') },
      ]}
      value={value}
      onChange={(chosen) => isOneOf(VIEW_MEASURES, chosen) && onChange(chosen)}
      help={
        hasShare
          ? undefined
          : t(
              'For a share, the view needs a filter by how calls ended or by what happened in their conversation.',
            )
      }
      error={error}
    />
  )
}
