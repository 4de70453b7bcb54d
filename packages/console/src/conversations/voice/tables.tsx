import { t, type VoiceFigures } from '@switchroom/contract'
import { useApplicationNames } from '../../calls/application-names'
import type { FigureFilter } from '../../calls/dashboard/links'
import { versionText } from '../../calls/recent-calls/voice-text'
import { cacheShare, countShown, shareShown } from './changes'
import { interruptionColumns } from './interruptions'
import { voiceOf } from './links'
import { Part } from './part'
import { mainTime } from './times'
import { type Props, rowsBy, turnColumns } from './turn-columns'
import { type Column, VoiceTable } from './voice-table'

type Application = VoiceFigures['applications'][number]
type Version = VoiceFigures['versions'][number]
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
