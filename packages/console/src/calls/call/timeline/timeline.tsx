import { t } from '@switchroom/contract'
import { useMemo } from 'react'
import { messageOf, requestIdOf, statusOf } from '../../../lib/failure'
import { Button } from '../../../ui/button'
import { Notice } from '../../../ui/notice'
import { rich } from '../../../ui/rich'
import { Sid } from '../../../ui/sid'
import { EmptyState, LoadingState } from '../../../ui/states'
import type { PartProps } from '../part'
import { usePlaying } from '../player/playback-store'
import playerSheet from '../player/player.css?url'
import sipSheet from '../sip/sip.css?url'
import tracingSheet from '../tracing/tracing.css?url'
import { useCapture } from '../use-capture'
import { useTrace } from '../use-trace'
import { align } from './align'
import { Axis } from './axis'
import { extentOf, lanesOf } from './lanes'
import sheet from './timeline.css?url'

const isMissing = (error: unknown) => statusOf(error) === 404

/** Network, application, speech and sound of a call on one time axis with one cursor. */
export function Timeline({ call, isShown = true }: PartProps) {
  const capture = useCapture(call)
  const trace = useTrace(call)
  const playing = usePlaying()
  const { tree } = trace
  const { data: ladder } = capture
  const alignment = useMemo(() => align(call, ladder, tree), [call, ladder, tree])
  const lanes = useMemo(() => lanesOf(ladder, tree, alignment.shift), [ladder, tree, alignment])
  const isReady = playing?.status === 'ready'
  const length = isReady ? playing.length : 0
  const begins = alignment.recording
  const extent = useMemo(
    () =>
      extentOf(
        lanes,
        begins !== undefined && length > 0
          ? { start: begins, end: begins + length * 1_000 }
          : undefined,
      ),
    [lanes, begins, length],
  )
  const failures = [
    { name: t('Network'), ...capture },
    { name: t('Application and speech'), ...trace },
  ].filter(({ error }) => error && !isMissing(error))
  return (
    <div className="timeline">
      <link rel="stylesheet" href={sheet} precedence="page" />
      <link rel="stylesheet" href={tracingSheet} precedence="page" />
      <link rel="stylesheet" href={sipSheet} precedence="page" />
      <link rel="stylesheet" href={playerSheet} precedence="page" />
      {failures.map(({ name, error, refetch }) => (
        <Notice key={name} tone="bad">
          {name}: {messageOf(error)}.{' '}
          {requestIdOf(error) && (
            <>{rich('Request {sid}', { sid: <Sid sid={requestIdOf(error) ?? ''} /> })} </>
          )}
          <Button size="small" onClick={() => void refetch()}>
            {t('Try again')}
          </Button>
        </Notice>
      ))}
      {capture.isLoading && <p className="timeline-note">{t('Loading the SIP capture…')}</p>}
      {trace.isLoading && <p className="timeline-note">{t('Loading the trace…')}</p>}
      {extent ? (
        <Axis
          // another extent is another axis
          key={`${extent.start} ${extent.end}`}
          extent={extent}
          lanes={lanes}
          ladder={ladder}
          alignment={alignment}
          isShown={isShown}
        />
      ) : capture.isLoading || trace.isLoading ? (
        <LoadingState text={t('Loading the timeline')} />
      ) : (
        playing?.status !== 'idle' &&
        failures.length === 0 && (
          <EmptyState text={t('There is no capture, trace or recording of this call.')} />
        )
      )}
      {playing?.status === 'loading' && (
        <p className="timeline-note">{t('Loading the recording…')}</p>
      )}
      {(trace.isCut || ladder?.cut) && (
        <p role="note" className="call-cut">
          {t('This call has more messages or spans than this page can show.')}
        </p>
      )}
      {extent && (
        <ul className="timeline-notes">
          {(tree && ladder) || isReady
            ? alignment.notes
                .slice(0, isReady ? undefined : -1)
                .map((note) => <li key={note}>{note}</li>)
            : null}
        </ul>
      )}
    </div>
  )
}
