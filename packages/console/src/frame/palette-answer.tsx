import {
  fromServer,
  type NumberAnswer,
  sipStatusText,
  THING_STATES,
  type ThingState,
  t,
} from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { ownAccount } from '../lib/access'
import { send } from '../lib/api'
import { isSwitchroom } from '../lib/config'
import { routeSimulations } from '../lib/endpoints'
import { usePhoneFormat } from '../lib/phone-format'
import { STATE_TONES } from '../lib/state/state-tones'
import { useDebounced } from '../lib/use-debounced'
import { useProvider } from '../lib/use-provider'
import { Fact, Facts } from '../ui/facts'
import { Notice } from '../ui/notice'
import { Status } from '../ui/status'
import { Time } from '../ui/time'

export const Trouble = ({ state }: { state: ThingState | undefined }) =>
  state && <Status tone={STATE_TONES[state]}>{THING_STATES[state]}</Status>

/** Patterns that do not match the plus of a simulated number, and where the call goes instead. */
export function PlusProblem({ typed }: { typed: string }) {
  const number = useDebounced(typed, SIMULATION_PAUSE)
  const service_provider_sid = useProvider()?.service_provider_sid
  const account_sid = ownAccount()
  const owner = account_sid ? { account_sid } : { service_provider_sid }
  const body = { ...owner, number }
  const isAsked =
    isSwitchroom() && number.startsWith('+') && !!(account_sid || service_provider_sid)
  const { data } = useQuery({
    queryKey: [routeSimulations.outbound.path, body],
    queryFn: () => send(routeSimulations.outbound, { body }),
    enabled: isAsked,
    meta: { inline: true },
    retry: false,
  })
  const problem = data?.steps.find(({ because }) => because === 'plus')
  if (!isAsked || !problem || typed !== number) return null
  return (
    <Notice tone="warn">
      {fromServer(problem.reason)} {fromServer(data?.steps.at(-1)?.reason ?? '')}
    </Notice>
  )
}

/** The owner of a number, and the outcome of its calls. */
export function Answer({ answer }: { answer: NumberAnswer | undefined }) {
  const number = answer?.phone_number
  const calls = answer?.calls
  const format = usePhoneFormat(number ? [number.number] : [])
  if (!number && !calls?.total) return null
  const failed = calls?.last_failure
  return (
    <section className="palette-answer" aria-label={t('About this number')} aria-live="polite">
      <Facts inline>
        {number ? (
          <>
            <Fact name={t('Number')}>{format(number.number)}</Fact>
            <Fact name={t('Account')}>{number.account_name ?? t('None')}</Fact>
            <Fact name={t('Application')}>{number.application_name ?? t('None')}</Fact>
            <Fact name={t('Carrier')}>{number.voip_carrier_name ?? t('None')}</Fact>
          </>
        ) : (
          <Fact name={t('Number')}>{t('Not one of your phone numbers')}</Fact>
        )}
        {calls && (
          <Fact name={t('Calls in 24 hours')}>
            {calls.total === 0
              ? t('None')
              : t('{total}, {answered} answered', { total: calls.total, answered: calls.answered })}
          </Fact>
        )}
        {failed && (
          <Fact name={t('Last failure')}>
            {failed.sip_status !== null && `${sipStatusText(failed.sip_status)}, `}
            <Time at={failed.attempted_at} />
          </Fact>
        )}
      </Facts>
    </section>
  )
}

/** Simulations cost more than searches. */
const SIMULATION_PAUSE = 250
