import { spokenWords, t } from '@switchroom/contract'
import { Headphones } from 'lucide-react'
import { LongText } from '../../../ui/long-text'
import { rich } from '../../../ui/rich'

/** The mark of what was heard in the recording. */
export const FromRecording = () => (
  <span className="turn-source">
    <Headphones aria-hidden />
    {t('Heard in the recording')}
  </span>
)

/**
 * Text of a turn from the trace and from the recording: side by side where they differ. If the trace cut the text,
 * the recording has the rest.
 */
export function Words({
  text,
  is_cut = false,
  from_recording,
}: {
  text: string | null
  is_cut?: boolean
  from_recording: string | null
}) {
  const traced = text && is_cut ? `${text}…` : text
  if (!from_recording) return traced ? <LongText text={traced} /> : null
  const heard = (
    <div>
      <FromRecording />
      <LongText text={from_recording} />
    </div>
  )
  if (!traced) return heard
  if (is_cut)
    return (
      <>
        {heard}
        <p className="turn-facts">{rich('In the trace: {text}', { text: <bdi>{traced}</bdi> })}</p>
      </>
    )
  if (spokenWords(traced) === spokenWords(from_recording))
    return (
      <>
        <LongText text={traced} />
        <span className="turn-source">
          <Headphones aria-hidden />
          {t('The recording has the same words')}
        </span>
      </>
    )
  return (
    <div className="turn-both">
      <div>
        <span className="turn-source">{t('In the trace')}</span>
        <LongText text={traced} />
      </div>
      {heard}
    </div>
  )
}
