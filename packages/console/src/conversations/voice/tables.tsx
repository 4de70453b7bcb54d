import { numberText, t, type VoiceFigures } from '@switchroom/contract'
import { useApplicationNames } from '../../calls/application-names'
import type { FigureFilter } from '../../calls/dashboard/links'
import { versionText } from '../../calls/recent-calls/voice-text'
import { vendorName } from '../../speech/speech-credentials/vendor-name'
import {
  type Comparison,
  cacheShare,
  countedShown,
  countShown,
  isUncertain,
  percentileShown,
  shareShown,
} from './changes'
import { interruptionColumns } from './interruptions'
import { atLeast, voiceOf } from './links'
import { Part } from './part'
import { mainTime, TIME_NAMES, type TimeMeasure } from './times'
import { type Column, VoiceTable } from './voice-table'

type Application = VoiceFigures['applications'][number]
type Recognizer = VoiceFigures['recognizers'][number]
type Voice = VoiceFigures['voices'][number]
type Vendor = VoiceFigures['vendors'][number]
type Version = VoiceFigures['versions'][number]
type Turns = Omit<Recognizer, 'vendor' | 'language'>

type Props = {
  data: VoiceFigures
  other: Comparison | undefined
  hrefOf: (filter: FigureFilter) => string
}

const UNKNOWN = t('Unknown')
const named = (vendor: string | null, name: string | null) =>
  vendor || name ? `${vendor ? vendorName(vendor) : UNKNOWN}, ${name || UNKNOWN}` : UNKNOWN

const PROBLEMS = [
  { voice: 'not_understood', head: t('Not understood') },
  { voice: 'timed_out', head: t('No input') },
  { voice: 'failed', head: t('Recognizer failed') },
  { voice: 'hung_up', head: t('Hung up while waiting') },
] as const

/** Columns about turns. `baselineOf`: the turns that a row is compared with. */
const turnColumns = <R extends Turns>(
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

const ofApplication = ({ application_sid: sid }: Application): FigureFilter => ({
  ...(sid ? { application_sid: sid } : { missing: 'application_sid' }),
  voice: 'calls',
})

export function Applications({ data, other, hrefOf, provider }: Props & { provider: string }) {
  const names = useApplicationNames(
    provider,
    data.applications.some((a) => a.application_sid),
  )
  // another application is compared with each
  const baselineOf = ({ application_sid }: Application) =>
    other?.application === undefined
      ? other?.figures.applications.find((a) => a.application_sid === application_sid)
      : other.figures
  const columns: Column<Application>[] = [
    {
      head: t('Calls'),
      cell: (row) => ({
        shown: countShown(row.calls, baselineOf(row)?.calls),
        filter: ofApplication(row),
      }),
    },
    ...turnColumns(mainTime(data), ofApplication, baselineOf),
  ]
  const shared = {
    head: t('Application'),
    rows: data.applications,
    keyOf: (row: Application) => String(row.application_sid),
    nameOf: ({ application_sid: sid }: Application) =>
      sid ? (names.get(sid) ?? sid) : t('None or unknown'),
    filterOf: ofApplication,
    hrefOf,
    other,
  }
  return (
    <Part title={t('By application')}>
      <VoiceTable {...shared} label={t('Conversations by application')} columns={columns} />
      <VoiceTable
        {...shared}
        label={t('Interruptions by application')}
        columns={interruptionColumns(ofApplication, baselineOf)}
      />
    </Part>
  )
}

const ofVersion = ({ application_sid, version }: Version): FigureFilter => ({
  voice_of: voiceOf('version', application_sid, version),
})

/** Figures by version of an application, if an account splits them. */
export function Versions({ data, other, hrefOf, provider }: Props & { provider: string }) {
  const names = useApplicationNames(provider, data.versions.length > 0)
  const baselineOf = rowsBy(other?.figures.versions, ofVersion)
  const columns: Column<Version>[] = [
    {
      head: t('Calls'),
      cell: (row) => ({
        shown: countShown(row.calls, baselineOf(row)?.calls),
        filter: { ...ofVersion(row), voice: 'calls' },
      }),
    },
    ...turnColumns(mainTime(data), ofVersion, baselineOf),
  ]
  const others: Column<Version>[] = [
    ...interruptionColumns(ofVersion, baselineOf),
    {
      head: t('From the cache'),
      cell: (row) => {
        const baseline = baselineOf(row)
        return {
          shown: shareShown(cacheShare(row), baseline && cacheShare(baseline), 'down'),
          filter: row.cached > 0 ? { ...ofVersion(row), voice: 'cached' } : undefined,
        }
      },
    },
    {
      head: t('Ended by the caller'),
      cell: (row) => {
        const baseline = baselineOf(row)
        const shown = shareShown(
          { n: row.ended_by_caller, of: row.calls },
          baseline && { n: baseline.ended_by_caller, of: baseline.calls },
        )
        return { shown, filter: { ...ofVersion(row), voice: 'ended_by_caller' } }
      },
    },
  ]
  const shared = {
    head: t('Version'),
    rows: data.versions,
    keyOf: (row: Version) => ofVersion(row).voice_of!,
    nameOf: ({ application_sid: sid, version }: Version) =>
      `${sid ? (names.get(sid) ?? sid) : t('None or unknown')}, ${versionText(version)}`,
    filterOf: (row: Version) => ({ ...ofVersion(row), voice: 'calls' as const }),
    hrefOf,
    other,
  }
  return (
    <Part title={t('By version')}>
      <VoiceTable {...shared} label={t('Conversations by version')} columns={columns} />
      <VoiceTable {...shared} label={t('Interruptions by version')} columns={others} />
    </Part>
  )
}

const ofRecognizer = ({ vendor, language }: Recognizer): FigureFilter => ({
  voice_of: voiceOf('recognizer', vendor, language),
})

export function Recognizers({ data, other, hrefOf }: Props) {
  const baselineOf = rowsBy(other?.figures.recognizers, ofRecognizer)
  return (
    <Part title={t('By recognizer')}>
      <VoiceTable
        label={t('Turns by recognizer')}
        head={t('Vendor and language')}
        columns={turnColumns(mainTime(data), ofRecognizer, baselineOf)}
        rows={data.recognizers}
        keyOf={(row) => ofRecognizer(row).voice_of!}
        nameOf={({ vendor, language }) => named(vendor, language)}
        filterOf={(row) => ({ ...ofRecognizer(row), voice: 'turns' })}
        hrefOf={hrefOf}
        other={other}
      />
    </Part>
  )
}

const ofVoice = ({ vendor, voice }: Voice): FigureFilter => ({
  voice_of: voiceOf('voice', vendor, voice),
})

export function Voices({ data, other, hrefOf }: Props) {
  const baselineOf = rowsBy(other?.figures.voices, ofVoice)
  const main = mainTime(data)
  const times = (
    measure: 'first_audio' | TimeMeasure,
    percentile: 'p50' | 'p95',
    head: string,
  ): Column<Voice> => ({
    head,
    cell: (row) => ({
      shown: percentileShown(row[measure], baselineOf(row)?.[measure], percentile),
      filter: atLeast(measure, row[measure][percentile], ofVoice(row)),
      few: isUncertain(row[measure]) ? row[measure].known : undefined,
    }),
  })
  const columns: Column<Voice>[] = [
    {
      head: t('Prompts'),
      cell: (row) => ({
        shown: countShown(row.prompts, undefined),
        filter: { ...ofVoice(row), voice: 'prompts' },
      }),
    },
    {
      head: t('From the cache'),
      cell: (row) => {
        const baseline = baselineOf(row)
        return {
          shown: shareShown(cacheShare(row), baseline && cacheShare(baseline), 'down'),
          filter: row.cached > 0 ? { ...ofVoice(row), voice: 'cached' } : undefined,
        }
      },
    },
    times('first_audio', 'p50', t('First audio, median')),
    times('first_audio', 'p95', t('First audio p95')),
    times(main, 'p95', TIME_NAMES[main].p95),
  ]
  return (
    <Part title={t('By voice')}>
      <VoiceTable
        label={t('Prompts by voice')}
        head={t('Vendor and voice')}
        columns={columns}
        rows={data.voices}
        keyOf={(row) => ofVoice(row).voice_of!}
        nameOf={({ vendor, voice }) => named(vendor, voice)}
        filterOf={(row) => ({ ...ofVoice(row), voice: 'prompts' })}
        hrefOf={hrefOf}
        other={other}
      />
    </Part>
  )
}

const SERVICES = { recognition: t('Recognition'), voice: t('Voice') }

const ofVendor = ({ service, vendor }: Vendor): FigureFilter => ({
  voice_of: voiceOf('vendor', service, vendor),
})

export function Vendors({ data, other, hrefOf }: Props) {
  const baselineOf = rowsBy(other?.figures.vendors, ofVendor)
  const columns: Column<Vendor>[] = [
    {
      head: t('Requests'),
      cell: (row) => ({
        shown: { text: numberText(row.requests) },
        filter: { ...ofVendor(row), voice: 'requests' },
      }),
    },
    {
      head: t('Failed requests'),
      cell: (row) => {
        const baseline = baselineOf(row)
        return {
          shown: countedShown(
            { n: row.failed, of: row.requests },
            baseline && { n: baseline.failed, of: baseline.requests },
          ),
          filter: { ...ofVendor(row), voice: 'failed' },
        }
      },
    },
  ]
  return (
    <Part title={t('Requests to vendors')}>
      <VoiceTable
        label={t('Requests by vendor')}
        head={t('Vendor')}
        columns={columns}
        rows={data.vendors}
        keyOf={(row) => ofVendor(row).voice_of!}
        nameOf={({ service, vendor }) =>
          `${vendor ? vendorName(vendor) : UNKNOWN}, ${SERVICES[service]}`
        }
        filterOf={(row) => ({ ...ofVendor(row), voice: 'requests' })}
        hrefOf={hrefOf}
        other={other}
      />
    </Part>
  )
}

/** Finds the row of the same thing. */
function rowsBy<R>(rows: readonly R[] | undefined, filterOf: (row: R) => FigureFilter) {
  const kept = new Map(rows?.map((row) => [filterOf(row).voice_of, row]))
  return (row: R) => kept.get(filterOf(row).voice_of)
}
