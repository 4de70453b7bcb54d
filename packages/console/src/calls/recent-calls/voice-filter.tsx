import { isTimedMeasure, t, type VoiceMeasure } from '@switchroom/contract'
import { useCapabilities } from '../../lib/use-capabilities'
import type { SetSearch } from '../../lib/use-set-search'
import { type Chip, FilterSelect } from '../../ui/filter-bar'
import type { Search } from '../search'
import { useVendorNames } from '../use-vendor-names'
import type { voiceFilters } from '../voice-search'
import { NumberFilter } from './number-filter'
import { measureText, namesIn, namesText, PART_NAMES } from './voice-text'

type Filters = ReturnType<typeof voiceFilters>
type Props = { filters: Filters; setSearch: SetSearch<Search> }

/** Measures offered in the filter. Links from figures set others, too. */
const OFFERED = [
  'not_understood',
  'timed_out',
  'failed',
  'hung_up',
  'ended_by_caller',
  'ended_by_application',
  'barge_ins',
] as const satisfies readonly VoiceMeasure[]
const TIMES = [
  { value: 'response', label: t('Response time at least …') },
  { value: 'answer', label: t('Answer time at least …') },
  { value: 'talk_over', label: t('Both spoke for at least …') },
  { value: 'silence_before', label: t('Silence before the caller at least …') },
]
const LONG_MS = 2_000

/** Without a measure, the server takes times for response times. */
const measureOf = ({ voice, at_least }: Filters) =>
  voice ?? (at_least === undefined ? undefined : 'response')

/** Filters calls by their conversations. Needs our server. */
export function VoiceFilter({ filters, setSearch }: Props) {
  const ours = useCapabilities()
  const { at_least } = filters
  const voice = measureOf(filters)
  if (!ours) return null
  const isOffered =
    voice === undefined || [...OFFERED, ...TIMES.map(({ value }) => value)].includes(voice)
  return (
    <>
      <FilterSelect
        label={t('Conversation')}
        options={[
          { value: '', label: t('All conversations') },
          ...OFFERED.map((value) => ({ value, label: measureText(value) })),
          ...TIMES,
          ...(isOffered ? [] : [{ value: voice, label: measureText(voice) }]),
        ]}
        value={voice ?? ''}
        onChange={(value) =>
          setSearch({
            voice: value || undefined,
            at_least: TIMES.some((time) => time.value === value) ? String(LONG_MS) : undefined,
          })
        }
      />
      {voice && isTimedMeasure(voice) && (
        <NumberFilter
          label={t('At least, in seconds')}
          unit={t('seconds')}
          value={at_least === undefined ? undefined : at_least / 1_000}
          max={MAX_S}
          step={0.1}
          decimals={3}
          onChange={(s) =>
            setSearch({
              voice,
              at_least: s === undefined ? undefined : String(Math.round(s * 1_000)),
            })
          }
        />
      )}
    </>
  )
}

const MAX_S = 9_999

/** Chips for the filters that are set; each can be removed. */
export function useVoiceChips({ filters, setSearch }: Props): Chip[] {
  const { at_least, voice_of } = filters
  const voice = measureOf(filters)
  const names = voice_of === undefined ? undefined : namesIn(voice_of)
  const vendorName = useVendorNames(names !== undefined)
  return [
    {
      name: t('Conversation'),
      value: voice && measureText(voice, names?.part, at_least),
      onRemove: () => setSearch({ voice: undefined, at_least: undefined }),
    },
    {
      name: names ? PART_NAMES[names.part] : t('Voice'),
      value: names && namesText(names, vendorName),
      onRemove: () => setSearch({ voice_of: undefined }),
    },
  ]
}
