import { type Call, t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { statusOf } from '../../../lib/failure'
import { LoadError } from '../../../lib/load-error'
import { EmptyState, LoadingState } from '../../../ui/states'
import { isTraced } from '../../call-text'
import type { useConversation } from './use-conversation'

/** Shown instead of a conversation: that it loads, or why there is none and what to do. */
export function WithoutConversation({
  call,
  result: { data, error, isLate, refetch },
  children,
}: {
  call: Call
  result: ReturnType<typeof useConversation>
  /** The next step. */
  children?: ReactNode
}) {
  const none = (text: string) => <EmptyState text={text}>{children}</EmptyState>
  if (!isTraced(call) || call.account_sid === null) return none(t('This call was not traced.'))
  if (data) return none(t('The trace of this call contains no conversation.'))
  if (isLate && (error === null || statusOf(error) === 404))
    return none(t('The trace of this call has not arrived yet.'))
  if (error && statusOf(error) === 404)
    return none(t('No trace of this call. It has expired, or was never sent.'))
  if (error) return <LoadError error={error} retry={refetch} />
  return <LoadingState text={t('Loading the conversation')} />
}
