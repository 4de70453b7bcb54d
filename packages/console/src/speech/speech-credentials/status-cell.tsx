import type { SpeechCredential } from '@switchroom/contract'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { lastTest, STATUS_WORDS, summarize } from './test-result'
import type { TestState } from './tests'

export const TONES = { ok: 'ok', fail: 'bad', 'not tested': 'off' } as const

/** The last test result of a credential, and its age. Listing credentials tests nothing. */
export function StatusCell({
  row,
  tested,
}: {
  row: SpeechCredential
  tested: TestState | undefined
}) {
  if (tested === 'checking') return <Status tone="info">{STATUS_WORDS.checking}</Status>
  if (tested && 'error' in tested)
    return (
      <Lines>
        <Status tone="bad">{STATUS_WORDS.error}</Status>
        <span className="none">{tested.error}</span>
      </Lines>
    )
  const last = lastTest(row)
  const { status, text } = summarize(tested?.result ?? last.result, row)
  const at = tested ? new Date().toISOString() : last.at
  return (
    <Lines>
      <span>
        <Status tone={TONES[status]}>{STATUS_WORDS[status]}</Status>{' '}
        {status !== 'not tested' && (
          <span className="none">
            <Time at={at} />
          </span>
        )}
      </span>
      {status === 'fail' && <span className="speech-reason">{text}</span>}
    </Lines>
  )
}

const Lines = ({ children }: { children: React.ReactNode }) => (
  <span className="two-lines">{children}</span>
)
