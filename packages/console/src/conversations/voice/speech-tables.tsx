import { numberText, t, type VoiceFigures } from '@switchroom/contract'
import type { FigureFilter } from '../../calls/dashboard/links'
import { vendorName } from '../../speech/speech-credentials/vendor-name'
import {
  cacheShare,
  countedShown,
  countShown,
  isUncertain,
  percentileShown,
  shareShown,
} from './changes'
import { atLeast, voiceOf } from './links'
import { Part } from './part'
import { mainTime, TIME_NAMES, type TimeMeasure } from './times'
import type { Recognizer } from './turn-columns'
import { named, type Props, rowsBy, turnColumns, UNKNOWN } from './turn-columns'
import { type Column, VoiceTable } from './voice-table'

type Voice = VoiceFigures['voices'][number]
type Vendor = VoiceFigures['vendors'][number]
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
