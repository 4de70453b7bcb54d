import { type Call, t } from '@switchroom/contract'
import { statusOf } from '../../../lib/failure'
import { LoadError } from '../../../lib/load-error'
import { EmptyState, LoadingState } from '../../../ui/states'
import { isTraced } from '../../call-text'
import type { useConversation } from './use-conversation'

/** What to show instead of a conversation: why there is none, or that it loads. */
export function WithoutConversation({
  call,
  result: { data, error, isLate, refetch },
}: {
  call: Call
  result: ReturnType<typeof useConversation>
}) {
  if (!isTraced(call) || call.account_sid === null)
    return <EmptyState text={t('This call was not traced.')} />
  if (data) return <EmptyState text={t('The trace of this call tells of no conversation.')} />
  if (isLate && (error === null || statusOf(error) === 404))
    return <EmptyState text={t('The trace of this call has not come yet.')} />
  if (error && statusOf(error) === 404)
    return <EmptyState text={t('No trace of this call. It has expired, or was never sent.')} />
  if (error) return <LoadError error={error} retry={refetch} />
  return <LoadingState text={t('Loading the conversation')} />
}
