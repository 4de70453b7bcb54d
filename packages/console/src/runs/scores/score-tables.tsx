import { type ScoreCounts, type ScoreFigures, t } from '@switchroom/contract'
import { useApplicationNames } from '../../calls/application-names'
import type { FigureFilter } from '../../calls/dashboard/links'
import { versionText } from '../../calls/recent-calls/voice-text'
import {
  type Comparison,
  countShown,
  percentText,
  shareShown,
} from '../../conversations/voice/changes'
import { voiceOf } from '../../conversations/voice/links'
import { Part } from '../../conversations/voice/part'
import { type Column, VoiceTable } from '../../conversations/voice/voice-table'

export const RESULTS = [
  { score: 'passed', name: t('Passed'), worse: 'down' },
  { score: 'failed', name: t('Failed'), worse: 'up' },
  { score: 'unsure', name: t('Not certain'), worse: 'up' },
] as const

/** Figures to compare with, and of which application if it is another. */
export type OtherScores = Pick<Comparison, 'application'> & { figures: ScoreFigures }

type Props = {
  data: ScoreFigures
  other: OtherScores | undefined
  provider: string
  hrefOf: (filter: FigureFilter) => string
}
type Application = ScoreFigures['applications'][number]
type Version = ScoreFigures['versions'][number]

export const shareOf = (counts: ScoreCounts, score: 'passed' | 'failed' | 'unsure') => ({
  n: counts[score],
  of: counts.scored,
})

/** Columns about results. `baselineOf`: the counts that a row is compared with. */
const columnsOf = <R extends ScoreCounts>(
  filterOf: (row: R) => FigureFilter,
  baselineOf: (row: R) => ScoreCounts | undefined,
): Column<R>[] => [
  {
    head: t('Scored calls'),
    cell: (row) => ({
      shown: countShown(row.scored, baselineOf(row)?.scored),
      filter: { ...filterOf(row), score: 'scored' },
    }),
  },
  ...RESULTS.map(
    ({ score, name, worse }): Column<R> => ({
      head: name,
      cell: (row) => {
        const baseline = baselineOf(row)
        return {
          shown: {
            ...shareShown(shareOf(row, score), baseline && shareOf(baseline, score), worse),
            text: percentText(shareOf(row, score)),
          },
          filter: { ...filterOf(row), score },
        }
      },
    }),
  ),
]

const ofApplication = ({ application_sid }: Application): FigureFilter => ({ application_sid })

export function Applications({ data, other, hrefOf, provider }: Props) {
  const names = useApplicationNames(provider, data.applications.length > 0)
  // another application is compared with each
  const baselineOf = ({ application_sid }: Application): ScoreCounts | undefined =>
    other?.application === undefined
      ? other?.figures.applications.find((one) => one.application_sid === application_sid)
      : other.figures
  return (
    <Part title={t('By application')}>
      <VoiceTable
        label={t('Scores by application')}
        head={t('Application')}
        columns={columnsOf(ofApplication, baselineOf)}
        rows={data.applications}
        keyOf={({ application_sid }) => application_sid}
        nameOf={({ application_sid: sid }) => names.get(sid) ?? sid}
        filterOf={(row) => ({ ...ofApplication(row), score: 'scored' })}
        hrefOf={(filter) => hrefOf(filter)}
        other={other}
      />
    </Part>
  )
}

const ofVersion = ({ application_sid, version }: Version): FigureFilter => ({
  voice_of: voiceOf('version', application_sid, version),
})
const keyOf = (row: Version) => ofVersion(row).voice_of!

/** Scores by version of an application, if an account splits figures. */
export function Versions({ data, other, hrefOf, provider }: Props) {
  const names = useApplicationNames(provider, data.versions.length > 0)
  const baselines = new Map(other?.figures.versions.map((row) => [keyOf(row), row]))
  return (
    <Part title={t('By version')}>
      <VoiceTable
        label={t('Scores by version')}
        head={t('Version')}
        columns={columnsOf(ofVersion, (row) => baselines.get(keyOf(row)))}
        rows={data.versions}
        keyOf={keyOf}
        nameOf={({ application_sid: sid, version }) =>
          `${names.get(sid) ?? sid}, ${versionText(version)}`
        }
        filterOf={(row) => ({ ...ofVersion(row), score: 'scored' })}
        hrefOf={(filter) => hrefOf(filter)}
        other={other}
      />
    </Part>
  )
}
