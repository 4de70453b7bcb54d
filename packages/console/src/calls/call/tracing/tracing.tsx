import { t } from '@switchroom/contract'
import { statusOf } from '../../../lib/failure'
import { LoadError } from '../../../lib/load-error'
import { EmptyState, LoadingState } from '../../../ui/states'
import { isTraced } from '../../call-text'
import { wordsNote } from '../conversation/kept-words'
import { mayBeLate } from '../late-trace'
import type { PartProps } from '../part'
import { useTrace } from '../use-trace'
import { Waterfall } from './waterfall'

/** The trace of a call. */
export function Tracing({ call }: PartProps) {
  const { tree, isCut, error, refetch } = useTrace(call)
  if (!isTraced(call) || call.account_sid === null)
    return <EmptyState text={t('This call was not traced.')} />
  if (error && statusOf(error) === 404)
    return (
      <EmptyState
        text={
          mayBeLate(call)
            ? t('The trace of this call has not arrived yet.')
            : t('No trace of this call. It has expired, or was never sent.')
        }
      />
    )
  if (error) return <LoadError error={error} retry={refetch} />
  if (!tree) return <LoadingState text={t('Loading the trace')} />
  if (tree.count === 0) return <EmptyState text={t('The trace of this call has no spans.')} />
  const note = tree.words && wordsNote(tree.words)
  return (
    <>
      {note && (
        <p role="note" className="call-cut">
          {note}
        </p>
      )}
      <Waterfall tree={tree} cut={isCut} />
    </>
  )
}
