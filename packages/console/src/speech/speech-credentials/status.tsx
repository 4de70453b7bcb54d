import {
  NO_FREE_TEST,
  type SpeechCredential,
  type TestResult,
  t,
  type Use,
  vendorOf,
} from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { mayWrite } from '../../lib/access'
import { send } from '../../lib/api'
import { messageOf } from '../../lib/failure'
import { useCapabilities } from '../../lib/use-capabilities'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import { rich } from '../../ui/rich'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { useSpeechApi } from './speech-api'
import { TONES } from './status-cell'
import { lastTest, STATUS_WORDS, summarize } from './test-result'

/** True if a free call verifies the credential for one of its uses, or its vendor is not known. */
function hasFreeTest(row: SpeechCredential) {
  const { untestable = [] } = vendorOf(row.vendor) ?? {}
  const uses = (['tts', 'stt'] satisfies Use[]).filter((use) => row[`use_for_${use}`])
  return uses.length === 0 || uses.some((use) => !untestable.includes(use))
}

/** The last test result, with a button to test again. `atOnce`: tests on mount, after a save. */
export function StatusBox({
  row,
  dirty,
  atOnce,
}: {
  row: SpeechCredential
  dirty: boolean
  atOnce: boolean
}) {
  const { trials, owner } = useSpeechApi()
  const ours = useCapabilities()
  const [confirming, setConfirming] = useState(false)
  const test = useMutation({
    mutationFn: (real: boolean): Promise<TestResult> =>
      send(trials.test, {
        params: { ...owner, speech_credential_sid: row.speech_credential_sid },
        query: real ? { real: 1 } : {},
      }),
  })
  const { mutate } = test
  const isFree = hasFreeTest(row)
  useEffect(() => {
    if (atOnce && ours && isFree) mutate(false)
  }, [atOnce, ours, isFree, mutate])
  const last = lastTest(row)
  const { status, text } = summarize(test.data ?? last.result, row, !!(test.data || last.at))
  const start = (real: boolean) => {
    setConfirming(false)
    test.mutate(real)
  }
  return (
    <section className="speech-status" aria-label={t('Credential status')}>
      <h2>{t('Credential status')}</h2>
      <div role="status">
        {test.isPending ? (
          <Status tone="info">{STATUS_WORDS.checking}</Status>
        ) : test.error ? (
          <Status tone="bad">{STATUS_WORDS.error}</Status>
        ) : (
          <Status tone={TONES[status]}>{STATUS_WORDS[status]}</Status>
        )}
      </div>
      {!test.isPending && !test.error && text && <p>{text}</p>}
      {!test.isPending && !test.data && last.at && (
        <p>
          {last.real
            ? rich('Tested {time} (live test)', { time: <Time at={last.at} /> })
            : rich('Tested {time}', { time: <Time at={last.at} /> })}
        </p>
      )}
      {test.error && <Notice tone="bad">{messageOf(test.error)}</Notice>}
      {mayWrite() && ours !== null && (
        <>
          {dirty && <p>{t('Tests the saved credential, without your unsaved changes.')}</p>}
          {(isFree || !ours) && (
            <div>
              <Button size="small" busy={test.isPending} onClick={() => start(false)}>
                {t('Test')}
              </Button>
            </div>
          )}
          <p>
            {!ours
              ? t('Runs text-to-speech and speech-to-text. The vendor may charge for this.')
              : isFree
                ? t('Checks the credential with the vendor. Free of charge.')
                : NO_FREE_TEST}
          </p>
          {ours && (row.use_for_tts || row.use_for_stt) ? (
            <div>
              <Button
                size="small"
                look="quiet"
                disabled={test.isPending}
                onClick={() => setConfirming(true)}
              >
                {t('Run a live test')}
              </Button>
            </div>
          ) : null}
        </>
      )}
      <ConfirmDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={t('Run a live test')}
        confirm={t('Run live test')}
        look="primary"
        onConfirm={() => start(true)}
      >
        {t(
          'The vendor speaks or transcribes a short sentence with this credential, at its usual price.',
        )}
      </ConfirmDialog>
    </section>
  )
}
