import { numberText, t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import type { ThingOwner } from '../lib/follow-provider'
import { Fact } from '../ui/facts'
import { Skeleton } from '../ui/states'
import { Time } from '../ui/time'
import { endsOf } from './call-span'
import { outcome, ratioText } from './call-text'
import { type Ask, type CallsOf, useAsk, useCounts, useLastFailure, useMinute } from './calls-of'

/** Two facts about a resource's calls: how many today, and the last that failed. */
export function CallFacts({ owner, of = {} }: { owner: ThingOwner; of?: CallsOf }) {
  const ask = useAsk(owner, of)
  return ask && <Loaded {...ask} />
}

const unknown = <span className="none">{t('Unknown')}</span>

function Loaded(ask: Ask) {
  const now = useMinute()
  const { counts, hasFailed } = useCounts({ ...ask, ends: endsOf('today', now) })
  const last = useLastFailure({ ...ask, ends: endsOf('7', now) })
  const [call] = last.data?.data ?? []
  const later = (failed: boolean): ReactNode => (failed ? unknown : <Skeleton width={96} />)
  return (
    <>
      <Fact name={t('Calls today')}>
        {!counts
          ? later(hasFailed)
          : counts.calls === 0
            ? 0
            : t('{calls}, {ratio} answered', {
                calls: numberText(counts.calls),
                ratio: ratioText(counts),
              })}
      </Fact>
      <Fact name={t('Last failure')}>
        {call ? (
          <>
            {outcome(call).word}, <Time at={call.attempted_at} />
          </>
        ) : last.data ? (
          <span className="none">{t('None in 7 days')}</span>
        ) : (
          later(!!last.error)
        )}
      </Fact>
    </>
  )
}
