import { type AlertGroup, alertTypeOf, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { Check, RotateCcw } from 'lucide-react'
import { Button } from '../ui/button'
import { toastError, toastSuccess } from '../ui/toast'
import { mayWrite } from './access'
import { send } from './api'
import { accountAlerts, providerAlerts } from './endpoints'
import { messageOf } from './failure'

/** Resolves alerts of a type, in the inbox of the account or provider that is shown, or reopens them. */
export function AlertMark({
  group: { account_sid, state, latest },
  of,
  label,
}: {
  group: AlertGroup
  /** Whose alerts are shown. */
  of: { account_sid: string } | { service_provider_sid: string }
  /** What screen readers read, where several such buttons are beside each other. */
  label?: string
}) {
  const isResolved = state === 'resolved'
  const change = useMutation({
    mutationFn: () => {
      const body = {
        alert_type: alertTypeOf(latest),
        state: isResolved ? ('open' as const) : ('resolved' as const),
      }
      return 'account_sid' in of
        ? send(accountAlerts.mark, { params: of, body })
        : send(providerAlerts.mark, { params: of, body: { ...body, account_sid } })
    },
    onSuccess: () => toastSuccess(isResolved ? t('Reopened') : t('Resolved')),
    onError: (error) => toastError(messageOf(error)),
  })
  if (!mayWrite() || state === 'quiet') return null
  return (
    <Button
      size="small"
      busy={change.isPending}
      onClick={() => change.mutate()}
      {...(label !== undefined && { 'aria-label': label })}
    >
      {isResolved ? <RotateCcw aria-hidden /> : <Check aria-hidden />}
      {isResolved ? t('Reopen') : t('Resolve')}
    </Button>
  )
}
