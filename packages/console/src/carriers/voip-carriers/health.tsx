import {
  type GatewayProbe,
  PROBE_OUTCOMES,
  type SipGateway,
  t,
  type VoipCarrierView,
} from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query, send } from '../../lib/api'
import { gatewayProbes } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { useCapabilities } from '../../lib/use-capabilities'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Status } from '../../ui/status'
import { TableHead } from '../../ui/table-head'
import { Time } from '../../ui/time'
import { toastError } from '../../ui/toast'
import { mayChangeCarrier } from './may'
import { PROBE_TONES } from './probe-tones'
import './health.css'

const addressOf = ({ ipv4, port }: SipGateway) => (port === null ? ipv4 : `${ipv4}:${port}`)

/** Probe results of the carrier's outbound gateways, as seen from this server. */
export function TrunkHealth({ carrier }: { carrier: VoipCarrierView }) {
  const ours = useCapabilities()
  const gateways = carrier.sip_gateways.filter((g) => g.outbound === 1)
  return ours && gateways.length > 0 ? <Health carrier={carrier} gateways={gateways} /> : null
}

function Health({ carrier, gateways }: { carrier: VoipCarrierView; gateways: SipGateway[] }) {
  const { voip_carrier_sid } = carrier
  const { data, error } = useQuery(query(gatewayProbes.ofCarrier, { params: { voip_carrier_sid } }))
  const [probing, setProbing] = useState<readonly string[]>([])
  const [showsHistory, setShowsHistory] = useState(false)
  const { mutateAsync } = useMutation({
    mutationFn: (sip_gateway_sid: string) =>
      send(gatewayProbes.probe, { params: { sip_gateway_sid } }),
  })
  const probe = async (sid: string) => {
    setProbing((now) => [...now, sid])
    await mutateAsync(sid).catch((e) => toastError(messageOf(e)))
    setProbing((now) => now.filter((other) => other !== sid))
  }
  const may = mayChangeCarrier(carrier)
  const idle = gateways.filter((g) => !probing.includes(g.sip_gateway_sid))

  return (
    <section className="health" aria-labelledby="health-title">
      <h2 id="health-title">{t('Trunk health')}</h2>
      <p className="health-about">
        {t(
          'Probes come from this server, not your SBC. A carrier that allow-lists only the SBC may reject them.',
        )}
      </p>
      {error && <p role="alert">{messageOf(error)}</p>}
      <ul aria-live="polite">
        {gateways.map((gateway) => {
          const { sip_gateway_sid: sid } = gateway
          const last = data?.find((p) => p.sip_gateway_sid === sid)
          const busy = probing.includes(sid)
          return (
            <li key={sid}>
              <div className="health-gateway">
                <span className="mono">{addressOf(gateway)}</span>
                {last ? (
                  <>
                    <Result probe={last} />
                    <span className="health-more">
                      <Time at={last.at} />
                    </span>
                  </>
                ) : (
                  data && <Status tone="off">{t('No recent probe')}</Status>
                )}
              </div>
              {may && (
                <Button
                  size="small"
                  busy={busy}
                  aria-label={t('Probe {address}', { address: addressOf(gateway) })}
                  onClick={() => void probe(sid)}
                >
                  {busy ? t('Probing…') : t('Probe')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <div className="health-foot">
        {may && gateways.length > 1 && (
          <Button
            size="small"
            busy={idle.length === 0}
            onClick={() => idle.forEach((g) => void probe(g.sip_gateway_sid))}
          >
            {t('Probe all')}
          </Button>
        )}
        {data && data.length > 0 && (
          <Button size="small" look="quiet" onClick={() => setShowsHistory(true)}>
            {t('History')}
          </Button>
        )}
      </div>
      <Dialog open={showsHistory} onClose={() => setShowsHistory(false)} title={t('Trunk health')}>
        <History probes={data ?? []} />
      </Dialog>
    </section>
  )
}

function Result({ probe }: { probe: GatewayProbe }) {
  const { outcome, status, reason, rtt_ms } = probe
  const answer = [status, reason].filter((part) => part !== null).join(' ')
  const more = [answer, rtt_ms !== null && t('{milliseconds} ms', { milliseconds: rtt_ms })]
    .filter(Boolean)
    .join(', ')
  return (
    <>
      <Status tone={PROBE_TONES[outcome]}>{PROBE_OUTCOMES[outcome]}</Status>
      {more && <span className="health-more">{more}</span>}
    </>
  )
}

const History = ({ probes }: { probes: GatewayProbe[] }) => (
  <div className="health-history">
    <table aria-label={t('Recent probes')}>
      <TableHead of={[t('Result'), t('Gateway'), t('Time')]} />
      <tbody>
        {probes.map((p) => (
          <tr key={`${p.sip_gateway_sid} ${p.at}`}>
            <td>
              <div className="health-gateway">
                <Result probe={p} />
              </div>
            </td>
            <td>
              <div className="health-gateway">
                <span className="mono">{p.address}</span>
                <span className="health-more">{p.transport.toUpperCase()}</span>
              </div>
            </td>
            <td>
              <Time at={p.at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
