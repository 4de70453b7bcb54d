import type { ThingState } from '@switchroom/contract'

export const STATE_TONES: Record<ThingState, 'ok' | 'warn' | 'bad' | 'off'> = {
  ok: 'ok',
  degraded: 'warn',
  failing: 'bad',
  too_few_calls: 'off',
  no_traffic: 'off',
  not_known: 'off',
  not_registered: 'bad',
  probe_failing: 'warn',
  inactive: 'off',
}
