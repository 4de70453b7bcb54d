import {
  HEALTH_PARTS,
  HEALTH_STATES,
  type HealthPart,
  type HealthState,
  t,
} from '@switchroom/contract'

export const STATES = {
  ok: { tone: 'ok', text: 'OK' },
  degraded: { tone: 'warn', text: t('Degraded') },
  failing: { tone: 'bad', text: t('Failing') },
} as const satisfies Record<HealthState, object>

export const labelOf = ({ part }: Pick<HealthPart, 'part'>) => HEALTH_PARTS[part].label

/** Parts that are not ok, the worst first. */
export const unwellOf = (parts: readonly HealthPart[]) =>
  parts
    .filter(({ state }) => state !== 'ok')
    .toSorted((a, b) => HEALTH_STATES.indexOf(b.state) - HEALTH_STATES.indexOf(a.state))
