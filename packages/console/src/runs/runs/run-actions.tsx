import { type RunView, t } from '@switchroom/contract'
import { Phone, RotateCcw } from 'lucide-react'
import { mayWrite } from '../../lib/access'
import { send } from '../../lib/api'
import { runs } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { Button } from '../../ui/button'
import { toastError } from '../../ui/toast'
import { StopButton } from '../stop-button'
import { answersOf } from './replay'
import { useBegin } from './use-begin'

/** Buttons for a run: stop while it is running, else repeat. */
export function RunActions({ run }: { run: RunView }) {
  const { application_sid, run_sid } = run
  if (!mayWrite()) return null
  return run.state === 'running' ? (
    <StopButton stop={() => send(runs.stop, { params: { application_sid, run_sid } })} />
  ) : (
    <Again run={run} />
  )
}

function Again({ run }: { run: RunView }) {
  const { application_sid, run_sid, start } = run
  const begin = useBegin(application_sid)
  const call = (body: Parameters<typeof begin.mutate>[0]) =>
    begin.mutate(body, { onError: (e) => toastError(messageOf(e)) })
  const answers = answersOf(run)
  return (
    <>
      {answers.length > 0 && (
        <Button
          busy={begin.isPending}
          title={t('Calls again, and gives the same answers')}
          onClick={() => call({ start, answers, repeats: run_sid })}
        >
          <RotateCcw aria-hidden />
          {t('Play again')}
        </Button>
      )}
      <Button
        look="primary"
        busy={begin.isPending}
        title={t('Calls again, and asks you for the answers')}
        onClick={() => call({ start, answers: [] })}
      >
        <Phone aria-hidden />
        {t('Call again')}
      </Button>
    </>
  )
}
