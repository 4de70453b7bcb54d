import { type CarrierHealthView, numberText, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { linkTo } from '../../lib/link-to'
import { Mend } from '../../lib/state/mend'
import { State } from '../../lib/state/state'
import { whyText } from '../../lib/state/why-text'
import { useCapabilities } from '../../lib/use-capabilities'
import { Button } from '../../ui/button'
import { Line } from '../../ui/line'
import { rich } from '../../ui/rich'
import { Skeleton } from '../../ui/states'
import { Time } from '../../ui/time'
import { RerouteOfCarrier } from '../reroute/offer'
import sheet from './health-panel.css?url'
import { healthView } from './health-queries'
import { HealthStrip } from './health-strip'
import { percentText, ratioOf, ratios, secondsText } from './health-text'

type Carrier = { voip_carrier_sid: string; name: string }

/**
 * A carrier's state with its reason, the last 24 hours, and the last 30 days hourly. Switchroom
 * servers only.
 */
export const HealthPanel = ({ carrier }: { carrier: Carrier }) =>
  useCapabilities() ? <Panel carrier={carrier} /> : null

function Panel({ carrier: { voip_carrier_sid, name } }: { carrier: Carrier }) {
  const { data, error, refetch } = useQuery(healthView(voip_carrier_sid))
  return (
    <section className="health-panel" aria-labelledby="health-panel-title" aria-busy={!data}>
      <link rel="stylesheet" href={sheet} precedence="page" />
      <header>
        <h2 id="health-panel-title">{t('Health')}</h2>
        {data && <State of={data} />}
        {data && <p>{whyText(data)}</p>}
      </header>
      {data ? (
        <>
          <Mend verdict={data} />
          {data.failure_sid && <RerouteOfCarrier failure_sid={data.failure_sid} />}
          <HealthDetails health={data} name={name} />
        </>
      ) : error ? (
        <p className="health-failed" role="status">
          {rich('The health of this carrier could not be loaded. {button}', {
            button: (
              <Button size="small" look="quiet" onClick={() => void refetch()}>
                {t('Try again')}
              </Button>
            ),
          })}
        </p>
      ) : (
        <Skeleton height={108} />
      )}
    </section>
  )
}

/** Gateways with the state that probes found. */
const Gateways = ({ gateways }: Pick<CarrierHealthView, 'gateways'>) =>
  gateways.length > 0 && (
    <details>
      <summary>{t('Gateways ({n})', { n: gateways.length })}</summary>
      <ul className="state-findings">
        {gateways.map((gateway) => (
          <li key={gateway.sip_gateway_sid}>
            <code>{gateway.address}</code> <State of={gateway} />
          </li>
        ))}
      </ul>
    </details>
  )

function HealthDetails({ health, name }: { health: CarrierHealthView; name: string }) {
  const { day, hours, inbound_calls_now, last_failure, strip } = health
  const waits = hours.seconds_to_answer.filter((s) => s !== null)
  return (
    <>
      <dl className="health-charts">
        <Chart name={t('Answered, 24 h')} value={percentText(ratioOf(day))}>
          <Line values={ratios(hours)} max={1} />
        </Chart>
        <Chart name={t('Time to answer, 24 h')} value={secondsText(day.seconds_to_answer)}>
          <Line values={hours.seconds_to_answer} max={Math.max(...waits, 1)} />
        </Chart>
        <Chart name={t('Calls, 24 h')} value={numberText(day.calls)}>
          <Line values={hours.calls} max={Math.max(...hours.calls, 1)} />
        </Chart>
        <div>
          <dt>{t('Inbound calls now')}</dt>
          <dd className="numbers">
            {inbound_calls_now === null ? t('Unknown') : numberText(inbound_calls_now)}
          </dd>
        </div>
        <div>
          <dt>{t('Latest failed call')}</dt>
          <dd>{last_failure ? <Failure failure={last_failure} /> : t('None in 7 days')}</dd>
        </div>
      </dl>
      <Gateways gateways={health.gateways} />
      <details>
        <summary>{t('Last 30 days, hourly')}</summary>
        <HealthStrip strip={strip} trunk={name} />
      </details>
    </>
  )
}

const Chart = ({
  name,
  value,
  children,
}: {
  name: string
  value: string
  children: React.ReactNode
}) => (
  <div>
    <dt>{name}</dt>
    <dd className="numbers">
      {value}
      <span className="health-chart">{children}</span>
    </dd>
  </div>
)

function Failure({ failure }: { failure: NonNullable<CarrierHealthView['last_failure']> }) {
  const { at, call_sid, sip_status, reason } = failure
  const text = [sip_status, reason].filter((part) => part !== null && part !== '').join(' ')
  return (
    <span className="health-failure">
      {call_sid ? (
        <Link {...linkTo(`/internal/recent-calls/${encodeURIComponent(call_sid)}`)}>
          {text || t('No reason given')}
        </Link>
      ) : (
        text || t('No reason given')
      )}
      <Time at={at} />
    </span>
  )
}
