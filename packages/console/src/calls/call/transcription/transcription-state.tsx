import {
  type Call,
  type Conversation,
  fromServer,
  numberText,
  type Transcription,
  t,
} from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { mayWrite } from '../../../lib/access'
import { send } from '../../../lib/api'
import { DeleteDialog } from '../../../lib/delete-dialog'
import { transcriptions } from '../../../lib/endpoints'
import { messageOf } from '../../../lib/failure'
import { Button } from '../../../ui/button'
import { zonedText } from '../../../ui/dates'
import { Notice } from '../../../ui/notice'
import { rich } from '../../../ui/rich'
import { useVendorNames } from '../../use-vendor-names'
import { TranscribeButton } from './transcribe-button'
import sheet from './transcription.css?url'
import { failedText, progressOf } from './transcription-text'
import { paramsOf } from './use-transcription'

type Props = {
  call: Call
  transcription: Transcription
  conversation: Conversation | undefined
}

/** How far a transcription is, or how it ended, and what can be done about it. */
export function TranscriptionState({ call, transcription, conversation }: Props) {
  const { state } = transcription
  const [isDeleting, setIsDeleting] = useState(false)
  const mayChange = mayWrite()
  const failed = failedText(transcription)
  return (
    <section className="transcription" aria-label={t('Transcript')}>
      <link rel="stylesheet" href={sheet} precedence="page" />
      {state === 'running' && <Running transcription={transcription} />}
      {state === 'interrupted' && (
        <Notice tone="warn">{interruptedText(progressOf(transcription))}</Notice>
      )}
      {state === 'failed' && (
        <Notice tone="bad">
          {transcription.message === null
            ? t('The recording could not be transcribed.')
            : rich('The recording could not be transcribed: {reason}', {
                reason: <bdi>{fromServer(transcription.message)}</bdi>,
              })}
        </Notice>
      )}
      {state === 'done' && <Done transcription={transcription} />}
      {mayChange && state !== 'running' && (
        <div className="transcription-buttons">
          {state === 'interrupted' && (
            <GoOn {...{ call, transcription, conversation }} label={t('Go on')} />
          )}
          {state === 'done' && failed && (
            <GoOn {...{ call, transcription, conversation }} label={t('Try again')} />
          )}
          {state === 'failed' && (
            <TranscribeButton
              call={call}
              conversation={conversation}
              before={transcription}
              label={t('Try again')}
            />
          )}
          <Button size="small" look="quiet" onClick={() => setIsDeleting(true)}>
            {t('Delete transcript')}
          </Button>
        </div>
      )}
      {state === 'done' && failed && <Notice tone="warn">{failed}</Notice>}
      {isDeleting && (
        <DeleteDialog
          endpoint={transcriptions.remove}
          sent={{ params: paramsOf(call) }}
          title={t('Delete transcript')}
          question={t(
            'The transcript of this call’s recording is deleted. The recording and the trace stay.',
          )}
          done={t('Transcript deleted')}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </section>
  )
}

const interruptedText = ({ done, all }: { done: number; all: number }) =>
  t(
    'Transcribing stopped after {done} of {all} requests, because the server stopped. What was recognized is kept.',
    { done: numberText(done), all: numberText(all) },
  )

function Running({ transcription }: { transcription: Transcription }) {
  const { done, all } = progressOf(transcription)
  return (
    <div className="transcription-progress">
      <p>
        <span role="status">{t('Transcribing the recording…')}</span>{' '}
        {all > 0 && (
          <span className="numbers">
            {t('{done} of {all}', { done: numberText(done), all: numberText(all) })}
          </span>
        )}
      </p>
      <progress aria-label={t('Progress')} max={all || undefined} value={all ? done : undefined} />
    </div>
  )
}

function Done({ transcription }: { transcription: Transcription }) {
  const { vendor, language, begun_at, ended_at, is_automatic, parts } = transcription
  const nameOf = useVendorNames(true)
  const values = { vendor: nameOf(vendor), language, time: zonedText(ended_at ?? begun_at) }
  return (
    <p className="transcription-about">
      {is_automatic
        ? t(
            'Transcribed by {vendor} in {language} on {time}, by the setting of the account.',
            values,
          )
        : t('Transcribed by {vendor} in {language} on {time}.', values)}
      {!parts.some(({ text }) => text) && ` ${t('No words were heard in the recording.')}`}
    </p>
  )
}

/** Has what is missing recognized by the same service. One that is gone leaves the choice of another. */
function GoOn({ call, transcription, conversation, label }: Props & { label: string }) {
  const { speech_credential_sid, language } = transcription
  const start = useMutation({
    mutationFn: (sid: string) =>
      send(transcriptions.start, {
        params: paramsOf(call),
        body: { speech_credential_sid: sid, language },
      }),
  })
  if (speech_credential_sid === null)
    return (
      <TranscribeButton
        call={call}
        conversation={conversation}
        before={transcription}
        label={label}
      />
    )
  return (
    <>
      {start.error && <Notice tone="bad">{messageOf(start.error)}</Notice>}
      <Button
        size="small"
        busy={start.isPending}
        onClick={() => start.mutate(speech_credential_sid)}
      >
        {label}
      </Button>
    </>
  )
}
