import { type AlertGroup, alertTypeOf, isOpenIssue, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { Check, RotateCcw } from 'lucide-react'
import { Button } from '../ui/button'
import { toastError, toastSuccess } from '../ui/toast'
import { mayWrite } from './access'
import { send } from './api'
import { accountIssues, providerIssues } from './endpoints'
import { messageOf } from './failure'
import { countAgain, type InboxOf } from './issue-count'

/** Resolves alerts of a type, in the inbox of the account or provider that is shown, or reopens them. */
export function AlertMark({
  group: { account_sid, state, latest },
  of,
  label,
}: {
  group: AlertGroup
  /** Whose alerts are shown. */
  of: InboxOf
  /** Accessible name, needed where several such buttons are side by side. */
  label?: string
}) {
  const isOpen = isOpenIssue(state)
  const change = useMutation({
    mutationFn: () => {
      const body = {
        kind: 'alert' as const,
        key: alertTypeOf(latest),
        state: isOpen ? ('resolved' as const) : ('open' as const),
      }
      return 'account_sid' in of
        ? send(accountIssues.mark, { params: of, body })
        : send(providerIssues.mark, { params: of, body: { ...body, account_sid } })
    },
    onSuccess: () => {
      toastSuccess(isOpen ? t('Resolved') : t('Reopened'))
      void countAgain()
    },
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
      {isOpen ? <Check aria-hidden /> : <RotateCcw aria-hidden />}
      {isOpen ? t('Resolve') : t('Reopen')}
    </Button>
  )
}
