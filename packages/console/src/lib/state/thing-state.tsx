import { type JudgedKind, THING_STATES, t } from '@switchroom/contract'
import { Button } from '../../ui/button'
import { rich } from '../../ui/rich'
import { Skeleton } from '../../ui/states'
import { Status } from '../../ui/status'
import { Mend } from './mend'
import { STATE_TONES } from './state-tones'
import { useVerdict } from './use-verdict'
import { whyText } from './why-text'
import './thing-state.css'

/** The state of what an overview shows: since when, why, and what would fix it. */
export function ThingState({ kind, sid }: { kind: JudgedKind; sid: string }) {
  const { isOurs, verdict, refetch } = useVerdict(kind, sid)
  if (!isOurs) return null
  return (
    <section className="thing-state" aria-label={t('State')} aria-busy={verdict === undefined}>
      {verdict ? (
        <>
          <p>
            <Status tone={STATE_TONES[verdict.state]}>{THING_STATES[verdict.state]}</Status>{' '}
            {whyText(verdict)}
          </p>
          <Mend verdict={verdict} />
        </>
      ) : verdict === null ? (
        <p role="status">
          {rich('The state could not be loaded. {button}', {
            button: (
              <Button size="small" look="quiet" onClick={refetch}>
                {t('Try again')}
              </Button>
            ),
          })}
        </p>
      ) : (
        <Skeleton width="60%" height={20} />
      )}
    </section>
  )
}
