import { fromServer, plural, THING_STATES, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../lib/api'
import { carrierHealth } from '../../lib/endpoints'
import { INLINE } from '../../lib/inline'
import { PlainLink } from '../../lib/plain-link'
import { STATE_TONES } from '../../lib/state/state-tones'
import { whyText } from '../../lib/state/why-text'
import { thingHref } from '../../lib/thing-href'
import { Button } from '../../ui/button'
import { rich } from '../../ui/rich'
import { Skeleton } from '../../ui/states'
import { Status } from '../../ui/status'

const REFRESH_MS = 60_000

/** Is anything wrong? The carriers that need somebody, as their pages say it. */
export function Troubles({
  provider,
  account_sid,
}: {
  provider: string
  /** The user's or filtered account. */
  account_sid: string | undefined
}) {
  const { data, error, refetch } = useQuery({
    ...query(carrierHealth.troubles, {
      query: account_sid ? { account_sid } : { service_provider_sid: provider },
    }),
    ...INLINE,
    refetchInterval: REFRESH_MS,
  })
  return (
    <section className="dashboard-part troubles" aria-labelledby="troubles-title">
      <h2 id="troubles-title">{t('Is anything wrong?')}</h2>
      {data && data.data.length > 0 && (
        <ul>
          {data.data.map((carrier) => (
            <li key={carrier.voip_carrier_sid}>
              <Status tone={STATE_TONES[carrier.state]}>{THING_STATES[carrier.state]}</Status>
              <div>
                <PlainLink href={thingHref('voip_carrier', carrier.voip_carrier_sid)}>
                  {carrier.name}
                </PlainLink>
                <div className="none">{whyText(carrier)}</div>
                {carrier.mend && <div className="none">{fromServer(carrier.mend)}</div>}
              </div>
            </li>
          ))}
        </ul>
      )}
      {data ? (
        <p className="hint" role="status">
          {data.judged > data.data.length
            ? plural(
                data.judged - data.data.length,
                '1 carrier has no problem.|{n} carriers have no problem.',
              )
            : data.judged === 0 &&
              t('Not known: no carrier has enough calls in 24 h to tell.')}{' '}
          {data.unjudged > 0 &&
            plural(
              data.unjudged,
              '1 carrier has too few calls to tell.|{n} carriers have too few calls to tell.',
            )}{' '}
          {data.capped && t('Only 100 carriers are checked, those with signs of trouble first.')}
        </p>
      ) : error ? (
        <p className="hint" role="status">
          {rich('Carriers could not be checked. {button}', {
            button: (
              <Button size="small" onClick={() => void refetch()}>
                {t('Try again')}
              </Button>
            ),
          })}
        </p>
      ) : (
        <Skeleton height={20} width="60%" />
      )}
    </section>
  )
}
