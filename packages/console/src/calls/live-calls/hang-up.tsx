import { type LiveCall, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { send } from '../../lib/api'
import { liveCalls } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { rich } from '../../ui/rich'
import { toastSuccess } from '../../ui/toast'

/** Confirms, then hangs up. The call leaves the list once the platform reports it ended. */
export function HangUp({
  call: { account_sid, call_sid, from, to },
  onClose,
  onDone,
}: {
  call: LiveCall
  onClose: () => void
  onDone: () => void
}) {
  const hangUp = useMutation({
    mutationFn: () =>
      send(liveCalls.update, {
        params: { account_sid, call_sid },
        body: { call_status: 'completed' },
      }),
    onSuccess: () => {
      toastSuccess(t('Hanging up the call'))
      onDone()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('Hang up')}
      confirm={t('Hang up')}
      busy={hangUp.isPending}
      error={hangUp.error ? messageOf(hangUp.error) : undefined}
      onConfirm={() => hangUp.mutate()}
    >
      {rich('Are you sure you want to end the call from {from} to {to}?', {
        from: <strong>{from ?? t('an unknown number')}</strong>,
        to: <strong>{to ?? t('an unknown number')}</strong>,
      })}
    </ConfirmDialog>
  )
}
