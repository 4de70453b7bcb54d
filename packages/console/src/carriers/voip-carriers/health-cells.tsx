import {
  type CarrierHealth,
  msg,
  PROBE_OUTCOMES,
  t,
  type VoipCarrierItem,
} from '@switchroom/contract'
import { State } from '../../lib/state/state'
import type { Column } from '../../lib/table'
import { Line } from '../../ui/line'
import { Skeleton } from '../../ui/states'
import { Status } from '../../ui/status'
import { percentText, ratioOf, ratios, secondsText } from './health-text'
import { PROBE_TONES } from './probe-tones'
import { Registration } from './registration'
import './health-cells.css'

/** `undefined` while it is loaded, null when it cannot be. */
type HealthOf = (carrier: VoipCarrierItem) => CarrierHealth | null | undefined

/** The columns of health. Placeholders have the final size: nothing moves when the health arrives. */
export const healthColumns = (healthOf: HealthOf): Column<VoipCarrierItem>[] => {
  const cell =
    (show: (health: CarrierHealth, carrier: VoipCarrierItem) => React.ReactNode, width: number) =>
    (carrier: VoipCarrierItem) => {
      const health = healthOf(carrier)
      if (health === undefined) return <Skeleton width={width} />
      return health === null ? <span className="health-none">–</span> : show(health, carrier)
    }
  return [
    { header: msg('State'), width: 112, cell: cell((health) => <State of={health} />, 72) },
    {
      header: msg('Answered'),
      width: 136,
      cell: cell(
        (health) => (
          <span className="health-ratio numbers">
            {percentText(ratioOf(health.day))}
            <span className="health-spark">
              <Line values={ratios(health.hours)} max={1} />
            </span>
          </span>
        ),
        104,
      ),
    },
    {
      header: msg('Time to answer'),
      width: 120,
      align: 'end',
      wideOnly: true,
      cell: cell((health) => secondsText(health.day.seconds_to_answer), 40),
    },
    {
      header: msg('Inbound now'),
      width: 112,
      align: 'end',
      wideOnly: true,
      cell: cell((health) => health.inbound_calls_now ?? '–', 24),
    },
    {
      header: msg('Registration'),
      width: 104,
      cell: (carrier) =>
        carrier.requires_register ? (
          <Registration carrier={carrier} />
        ) : (
          cell(({ last_probe: probe }) => {
            if (!probe) return <span className="health-none">–</span>
            return (
              <Status tone={PROBE_TONES[probe.outcome]}>
                {t('Probe: {outcome}', { outcome: PROBE_OUTCOMES[probe.outcome] })}
              </Status>
            )
          }, 72)(carrier)
        ),
    },
  ]
}
