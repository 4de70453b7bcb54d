import { type InterruptionCounts, t } from '@switchroom/contract'
import type { FigureFilter } from '../../calls/dashboard/links'
import {
  bargeInShare,
  countedShown,
  isUncertain,
  percentileShown,
  shareShown,
  talkShare,
} from './changes'
import { atLeast } from './links'
import { PAUSE_NAMES } from './times'
import type { Column } from './voice-table'

export const NOT_MEASURED = t('Not measured')

/** Columns about interruptions. `baselineOf`: the row that a row is compared with. */
export const interruptionColumns = <R extends InterruptionCounts>(
  filterOf: (row: R) => FigureFilter,
  baselineOf: (row: R) => InterruptionCounts | undefined,
): Column<R>[] => {
  const times = (measure: keyof typeof PAUSE_NAMES, percentile: 'p50' | 'p95'): Column<R> => ({
    head: PAUSE_NAMES[measure][percentile],
    cell: (row) => ({
      shown: percentileShown(row[measure], baselineOf(row)?.[measure], percentile),
      filter: atLeast(measure, row[measure][percentile], filterOf(row)),
      few: isUncertain(row[measure]) ? row[measure].known : undefined,
    }),
  })
  return [
    {
      head: t('Interrupted prompts'),
      cell: (row) => {
        if (row.barge_in_known === 0) return { shown: { text: NOT_MEASURED }, filter: undefined }
        const baseline = baselineOf(row)
        const shown = countedShown(bargeInShare(row), baseline && bargeInShare(baseline))
        return { shown, filter: { ...filterOf(row), voice: 'barge_ins' } }
      },
    },
    times('talk_over', 'p95'),
    times('silence_before', 'p50'),
    {
      head: t('Talk share of callers'),
      cell: (row) => {
        const baseline = baselineOf(row)
        return {
          shown: shareShown(talkShare(row), baseline && talkShare(baseline)),
          filter: row.talk_known > 0 ? { ...filterOf(row), voice: 'talk_known' } : undefined,
        }
      },
    },
  ]
}
