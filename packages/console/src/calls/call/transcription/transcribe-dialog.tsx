import { type Call, type Conversation, type TranscriptionPlan, t } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query, send } from '../../../lib/api'
import { transcriptions } from '../../../lib/endpoints'
import { issueOn, messageOf } from '../../../lib/failure'
import { LoadError } from '../../../lib/load-error'
import { PlainLink } from '../../../lib/plain-link'
import { serviceName } from '../../../speech/speech-credentials/vendor-name'
import { Button, buttonClass } from '../../../ui/button'
import { Dialog, DialogFoot } from '../../../ui/dialog'
import { Notice } from '../../../ui/notice'
import { SelectField } from '../../../ui/select'
import { LoadingState } from '../../../ui/states'
import { LanguageField } from './language-field'
import { type Before, languageOf, planTexts } from './transcription-text'
import { paramsOf } from './use-transcription'

/** Tells what it takes to have a recording transcribed, and by which service; then starts it. */
export function TranscribeDialog({
  call,
  conversation,
  before,
  onClose,
}: {
  call: Call
  conversation: Conversation | undefined
  before: Before | undefined
  onClose: () => void
}) {
  const plan = useQuery({
    ...query(transcriptions.plan, { params: paramsOf(call) }),
    // the dialog shows why
    meta: { inline: true },
  })
  return (
    <Dialog open onClose={onClose} title={t('Transcribe the recording')}>
      {plan.data && !plan.isError ? (
        <Plan
          call={call}
          plan={plan.data}
          before={before}
          language={before?.language ?? languageOf(conversation) ?? ''}
          onClose={onClose}
        />
      ) : (
        <div className="dialog-body">
          {plan.error ? (
            <LoadError error={plan.error} retry={plan.refetch} />
          ) : (
            <LoadingState text={t('Reading the recording')} />
          )}
          <DialogFoot>
            <Button onClick={onClose}>{t('Close')}</Button>
          </DialogFoot>
        </div>
      )}
    </Dialog>
  )
}

function Plan({
  call,
  plan,
  before,
  language: suggested,
  onClose,
}: {
  call: Call
  plan: TranscriptionPlan
  before: Before | undefined
  /** Empty if none is known. */
  language: string
  onClose: () => void
}) {
  const { services, requests } = plan
  const [sid, setSid] = useState(before?.speech_credential_sid ?? '')
  const [language, setLanguage] = useState(suggested)
  const service =
    services.find(({ speech_credential_sid }) => speech_credential_sid === sid) ?? services[0]
  const start = useMutation({
    mutationFn: (speech_credential_sid: string) =>
      send(transcriptions.start, {
        params: paramsOf(call),
        body: { speech_credential_sid, language: language.trim() || null },
      }),
    onSuccess: onClose,
  })
  const issue = issueOn(start.error, 'language')
  const told = planTexts(plan).map((text) => <p key={text}>{text}</p>)
  if (!service || requests === 0)
    return (
      <div className="dialog-body">
        {told}
        {!service && (
          <Notice tone="info">{t('This account has no speech service for recognition.')}</Notice>
        )}
        <DialogFoot>
          <Button onClick={onClose}>{t('Close')}</Button>
          {!service && (
            <PlainLink href="/internal/speech-services" className={buttonClass('primary')}>
              {t('Speech services')}
            </PlainLink>
          )}
        </DialogFoot>
      </div>
    )
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault()
        if (!start.isPending) start.mutate(service.speech_credential_sid)
      }}
    >
      {told}
      <SelectField
        label={t('Speech service')}
        value={service.speech_credential_sid}
        options={services.map((one) => ({
          value: one.speech_credential_sid,
          label: serviceName(one),
        }))}
        onChange={setSid}
      />
      <LanguageField
        account_sid={call.account_sid ?? ''}
        service={service}
        value={language}
        onChange={setLanguage}
        error={issue}
      />
      {start.error && !issue && <Notice tone="bad">{messageOf(start.error)}</Notice>}
      <DialogFoot>
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" look="primary" busy={start.isPending}>
          {start.isPending ? t('Starting…') : t('Transcribe')}
        </Button>
      </DialogFoot>
    </form>
  )
}
