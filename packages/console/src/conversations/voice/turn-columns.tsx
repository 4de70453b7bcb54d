import { t, type VoiceFigures } from '@switchroom/contract'
import type { FigureFilter } from '../../calls/dashboard/links'
import { vendorName } from '../../speech/speech-credentials/vendor-name'
import { type Comparison, countedShown, countShown, isUncertain, percentileShown } from './changes'
import { atLeast } from './links'
import { TIME_NAMES, type TimeMeasure } from './times'
import type { Column } from './voice-table'

export type Recognizer = VoiceFigures['recognizers'][number]
export type Turns = Omit<Recognizer, 'vendor' | 'language'>

export type Props = {
  data: VoiceFigures
  other: Comparison | undefined
  hrefOf: (filter: FigureFilter) => string
}

export const UNKNOWN = t('Unknown')
export const named = (vendor: string | null, name: string | null) =>
  vendor || name ? `${vendor ? vendorName(vendor) : UNKNOWN}, ${name || UNKNOWN}` : UNKNOWN

const PROBLEMS = [
  { voice: 'not_understood', head: t('Not understood') },
  { voice: 'timed_out', head: t('No input') },
  { voice: 'failed', head: t('Recognizer failed') },
  { voice: 'hung_up', head: t('Hung up while waiting') },
] as const

/** Columns about turns. `baselineOf`: the turns that a row is compared with. */
export const turnColumns = <R extends Turns>(
  measure: TimeMeasure,
  filterOf: (row: R) => FigureFilter,
  baselineOf: (row: R) => Turns | undefined,
): Column<R>[] => [
  {
    head: t('Turns'),
    cell: (row) => ({
      shown: countShown(row.turns, undefined),
      filter: { ...filterOf(row), voice: 'turns' },
    }),
  },
  ...(['p50', 'p95'] as const).map(
    (percentile): Column<R> => ({
      head: TIME_NAMES[measure][percentile],
      cell: (row) => ({
        shown: percentileShown(row[measure], baselineOf(row)?.[measure], percentile),
        filter: atLeast(measure, row[measure][percentile], filterOf(row)),
        few: isUncertain(row[measure]) ? row[measure].known : undefined,
      }),
    }),
  ),
  ...PROBLEMS.map(
    ({ voice, head }): Column<R> => ({
      head,
      cell: (row) => {
        const baseline = baselineOf(row)
        return {
          shown: countedShown(
            { n: row[voice], of: row.turns },
            baseline && { n: baseline[voice], of: baseline.turns },
          ),
          filter: { ...filterOf(row), voice },
        }
      },
    }),
  ),
]

/** Finds the row of the same thing. */
export function rowsBy<R>(rows: readonly R[] | undefined, filterOf: (row: R) => FigureFilter) {
  const kept = new Map(rows?.map((row) => [filterOf(row).voice_of, row]))
  return (row: R) => kept.get(filterOf(row).voice_of)
}
