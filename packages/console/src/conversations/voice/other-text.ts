import { plural, t } from '@switchroom/contract'
import type { Comparison, Shown } from './changes'

/** Text with the value that a figure is compared with, if that differs. */
export function otherText(
  { other: value, change }: Shown,
  other: Pick<Comparison, 'application'> | undefined,
): string | undefined {
  if (!other || value === undefined || change?.way === 'same') return undefined
  return other.application === undefined
    ? t('Was {value}', { value })
    : t('Other {value}', { value })
}

/** Note on a percentile of few times. */
export const uncertainText = (known: number) =>
  plural(known, 'Based on 1 time: uncertain|Based on {n} times: uncertain')
