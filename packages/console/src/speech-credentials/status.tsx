import type { SpeechCredential, TestResult } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { mayWrite } from '../lib/access'
import { send } from '../lib/api'
import { useCapabilities } from '../lib/capabilities'
import { messageOf } from '../lib/failure'
import { Button } from '../ui/button'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { Notice } from '../ui/notice'
import { Status } from '../ui/status'
import { Time } from '../ui/time'
import { TONES } from './status-cell'
import { remembered, STATUS_WORDS, verdict } from './test-result'
import { useWhose } from './whose'

/** The last result that is known, and the way to a newer one. `atOnce`, after a save, asks the vendor anew. */
export function StatusBox({
  row,
  dirty,
  atOnce,
}: {
  row: SpeechCredential
  dirty: boolean
  atOnce: boolean
}) {
  const { trials, below } = useWhose()
  const ours = useCapabilities()
  const [asking, setAsking] = useState(false)
  const test = useMutation({
    mutationFn: (real: boolean): Promise<TestResult> =>
      send(trials.test, {
        params: { ...below, speech_credential_sid: row.speech_credential_sid },
        query: real ? { real: 1 } : {},
      }),
  })
  const { mutate } = test
  useEffect(() => {
    if (atOnce && ours) mutate(false)
  }, [atOnce, ours, mutate])
  const last = remembered(row)
  const { status, text } = verdict(test.data ?? last.result, row, !!(test.data || last.at))
  const start = (real: boolean) => {
    setAsking(false)
    test.mutate(real)
  }
  return (
    <section className="speech-status" aria-label="Credential status">
      <h2>Credential status</h2>
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
          Tested <Time at={last.at} />
          {last.real && ', for real'}
        </p>
      )}
      {test.error && <Notice tone="bad">{messageOf(test.error)}</Notice>}
      {mayWrite() && ours !== null && (
        <>
          {dirty && <p>What is saved is tested, without the unsaved changes.</p>}
          <div>
            <Button size="small" busy={test.isPending} onClick={() => start(false)}>
              Test
            </Button>
          </div>
          <p>
            {ours
              ? 'Asks the vendor whether it knows the credential. It costs nothing.'
              : 'This server speaks and listens for it; the vendor may charge for that.'}
          </p>
          {ours && (row.use_for_tts || row.use_for_stt) ? (
            <div>
              <Button
                size="small"
                look="quiet"
                disabled={test.isPending}
                onClick={() => setAsking(true)}
              >
                Speak and listen for real
              </Button>
            </div>
          ) : null}
        </>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Speak and listen for real"
        confirm="Speak and listen"
        look="primary"
        onConfirm={() => start(true)}
      >
        The vendor says a short sentence, or listens to one, with this credential. It charges for
        that as for any other.
      </ConfirmDialog>
    </section>
  )
}
