import { plural, t } from '@switchroom/contract'
import { eventSubscriptions } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { FormDialog } from '../../lib/form-dialog'
import { formLike } from '../../lib/form-like'
import { toastSuccess } from '../../ui/toast'

const HOUR_MS = 3_600_000
const SPANS = [1, 24, 168].map((hours) => ({
  value: String(hours),
  label: plural(hours, 'The last hour|The last {n} hours'),
}))

/** Sends what happened in a time again: to a receiver that was away, or that lost it. */
export function Replay({
  event_subscription_sid,
  onClose,
}: {
  event_subscription_sid: string
  onClose: () => void
}) {
  const form = useApiForm({
    endpoint: eventSubscriptions.replay,
    dialog: 'replay',
    defaultValues: { hours: '24', failed_only: true },
    toSend: ({ hours, failed_only }) => ({
      params: { event_subscription_sid },
      body: {
        from: new Date(Date.now() - Number(hours) * HOUR_MS).toISOString(),
        failed_only,
      },
    }),
    onDone: ({ events }) => {
      toastSuccess(plural(events, '1 event is sent again|{n} events are sent again'))
      onClose()
    },
  })
  const fields = formLike(form)
  return (
    <FormDialog
      form={form}
      isNew
      title={t('Send events again')}
      submit={t('Send again')}
      submitting={t('Sending…')}
      onClose={onClose}
    >
      <fields.SelectField name="hours" label={t('Events of')} options={SPANS} />
      <fields.Switch name="failed_only" label={t('Only those that were given up')} />
    </FormDialog>
  )
}
