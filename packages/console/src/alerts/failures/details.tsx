import {
  FAILURE_HOURS,
  type Failure,
  failureText,
  fromServer,
  isOpenIssue,
  mendOf,
  numberText,
  plural,
  reroutedText,
  t,
} from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { RerouteOffer } from '../../carriers/reroute/offer'
import { fixOf } from '../../carriers/reroute/queries'
import { healthOf } from '../../carriers/voip-carriers/health-queries'
import { send } from '../../lib/api'
import { failures } from '../../lib/endpoints'
import { INLINE } from '../../lib/inline'
import { usePhoneFormat } from '../../lib/phone-format'
import { PlainLink } from '../../lib/plain-link'
import { State } from '../../lib/state/state'
import { type ThingKind, thingHref } from '../../lib/thing-href'
import { buttonClass } from '../../ui/button'
import { rich } from '../../ui/rich'
import { ExactTime, Time } from '../../ui/time'
import { Handling } from '../handling'
import { mendLink } from './mend-link'

const callHref = (call_id: string) => `/internal/recent-calls/${encodeURIComponent(call_id)}`

export function Details({ failure }: { failure: Failure }) {
  const { failure_sid, figures, carrier, rerouted } = failure
  const { calls, first_at } = figures
  return (
    <div className="failure">
      <p>
        {rich('{failure}: {calls} since {time}.', {
          failure: failureText(failure),
          calls: <span className="numbers">{plural(calls, '1 call|{n} calls')}</span>,
          time: <ExactTime at={first_at} />,
        })}
      </p>
      {rerouted && <p role="status">{reroutedText(failure, rerouted)}</p>}
      {/* none where it was done */}
      {(!rerouted || rerouted.worked === false) && <Mend failure={failure} />}
      <Handling
        issue={failure}
        account_sid={failure.account_sid}
        send={(body) => send(failures.update, { params: { failure_sid }, body })}
      />
      <div className="failure-parts">
        {carrier && (
          <Part title={t('Carrier')}>
            <li>
              <PlainLink href={thingHref('voip_carrier', carrier.voip_carrier_sid)}>
                {carrier.name}
              </PlainLink>{' '}
              <CarrierState voip_carrier_sid={carrier.voip_carrier_sid} />
            </li>
          </Part>
        )}
        {failure.account_sid === null && (
          <Hits
            title={t('Accounts')}
            kind="account"
            hits={figures.accounts}
            others={figures.others.accounts}
          />
        )}
        <Hits
          title={t('Applications')}
          kind="application"
          hits={figures.applications}
          others={figures.others.applications}
        />
        <Callers {...figures} />
        <Hours hours={figures.hours} />
        <Samples samples={figures.samples} />
      </div>
    </div>
  )
}

/** The state of the carrier as everywhere else: one failure may matter little to it. */
function CarrierState({ voip_carrier_sid }: { voip_carrier_sid: string }) {
  const [health] = useQuery({ ...healthOf([voip_carrier_sid]), ...INLINE }).data ?? []
  return health && <State of={health} />
}

function Mend({ failure }: { failure: Failure }) {
  const { text, place } = mendOf(failure)
  const link = mendLink(failure, place)
  const { failure_sid, state, direction, prefix, carrier } = failure
  const mayReroute = isOpenIssue(state) && direction === 'outbound' && !!prefix && carrier !== null
  const { data: fix } = useQuery({ ...fixOf(failure_sid), enabled: mayReroute })
  return (
    <div className="failure-mend">
      {mayReroute && fix?.reroute ? (
        <RerouteOffer reroute={fix.reroute} failure_sid={failure_sid} />
      ) : (
        // another carrier is no advice where none is known to do better
        <p>{place === 'simulator' && fix?.reason ? fromServer(fix.reason) : text}</p>
      )}
      {link && (
        <PlainLink
          href={link.href}
          className={buttonClass(fix?.reroute ? 'plain' : 'primary', 'small')}
        >
          {link.label}
        </PlainLink>
      )}
    </div>
  )
}

const Part = ({
  title,
  isWide = false,
  children,
}: {
  title: string
  isWide?: boolean
  children: React.ReactNode
}) => (
  <section className={isWide ? 'failure-part-wide' : undefined}>
    <h3>{title}</h3>
    <ul>{children}</ul>
  </section>
)

const Count = ({ name, calls }: { name: React.ReactNode; calls: number }) => (
  <li className="failure-count">
    <span>{name}</span>
    <span className="numbers">{numberText(calls)}</span>
  </li>
)
const Others = ({ calls }: { calls: number }) =>
  calls > 0 && <Count name={<span className="none">{t('Others')}</span>} calls={calls} />

function Hits({
  title,
  kind,
  hits,
  others,
}: {
  title: string
  kind: ThingKind
  hits: Failure['figures']['accounts']
  others: number
}) {
  if (hits.length === 0) return null
  return (
    <Part title={title}>
      {hits.map(({ sid, name, calls }) => (
        <Count
          key={sid}
          name={
            name === null ? (
              <span className="none">{sid.slice(0, 8)}…</span>
            ) : (
              <PlainLink href={thingHref(kind, sid)}>{name}</PlainLink>
            )
          }
          calls={calls}
        />
      ))}
      <Others calls={others} />
    </Part>
  )
}

const Callers = ({ callers, others }: Failure['figures']) => (
  <Part title={t('Calling numbers')}>
    {callers.map(({ prefix, calls }) => (
      <Count key={prefix} name={prefix || t('SIP addresses')} calls={calls} />
    ))}
    <Others calls={others.callers} />
  </Part>
)

/** The sparkline as text: the hours with the most calls. */
function Hours({ hours }: { hours: readonly number[] }) {
  const now = Math.floor(Date.now() / 3_600_000)
  const busiest = hours
    .map((calls, i) => ({ calls, at: (now - FAILURE_HOURS + 1 + i) * 3_600_000 }))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.calls - a.calls)
    .slice(0, 3)
  if (busiest.length === 0) return null
  return (
    <Part title={t('Busiest hours of the last 24')}>
      {busiest.map(({ at, calls }) => (
        <Count key={at} name={<ExactTime at={new Date(at).toISOString()} />} calls={calls} />
      ))}
    </Part>
  )
}

function Samples({ samples }: Pick<Failure['figures'], 'samples'>) {
  const format = usePhoneFormat(samples.flatMap(({ from, to }) => [from ?? '', to ?? '']))
  return (
    <Part title={t('Latest calls')} isWide>
      {samples.map(({ at, call_sid, sip_callid, from, to }) => {
        const id = call_sid ?? sip_callid
        const text = `${format(from ?? '') || t('Unknown')} → ${format(to ?? '') || t('Unknown')}`
        return (
          <li key={`${at} ${id}`} className="failure-count">
            {id ? <PlainLink href={callHref(id)}>{text}</PlainLink> : <span>{text}</span>}
            <Time at={at} />
          </li>
        )
      })}
    </Part>
  )
}
