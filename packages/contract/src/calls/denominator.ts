import { isTimedMeasure, type VoiceMeasure } from './voice-measures.ts'

type Filters = Readonly<Record<string, unknown>>

/** The denominator of each measure that is a part of another. A measure that is not here is its own denominator. */
const DENOMINATORS: Partial<Record<VoiceMeasure, VoiceMeasure>> = {
  not_understood: 'turns',
  timed_out: 'turns',
  failed: 'turns',
  hung_up: 'turns',
  cached: 'prompts',
  not_cached: 'prompts',
  ended_by_caller: 'calls',
  ended_by_application: 'calls',
  barge_ins: 'barge_in_known',
}

/**
 * The filters of the denominator: of the calls that a list's calls are a part of. They are the same filters without the
 * one that singles the calls out: what they were counted for in their conversation, else how they ended, else what was
 * said in them. `counted_for` is the measure that all of them were counted for. Undefined if nothing singles them out,
 * as in a list of one carrier’s calls: they would be all of themselves.
 * @param filters Valid filters of the list’s address.
 */
export function denominatorOf(
  filters: Filters,
): { filters: Filters; counted_for?: VoiceMeasure } | undefined {
  const { score, ...unscored } = filters
  if (score !== undefined)
    return score === 'scored' ? undefined : { filters: { ...unscored, score: 'scored' } }
  const { cost_at_least, tokens_at_least, ...ofAnyUse } = filters
  if (cost_at_least !== undefined || tokens_at_least !== undefined) {
    const [name, least] =
      cost_at_least === undefined
        ? ['tokens_at_least', tokens_at_least]
        : ['cost_at_least', cost_at_least]
    return Number(least) > 0 ? { filters: { ...ofAnyUse, [name as string]: '0' } } : undefined
  }
  const { at_least, voice, ...others } = filters
  const measure = voice ?? (at_least === undefined ? undefined : 'response')
  const counted_for = measureOfDenominator(measure as VoiceMeasure | undefined, filters)
  if (counted_for) return { filters: { ...others, voice: counted_for }, counted_for }
  const { answered, sip_status, missing, ...rest } = filters
  if ([answered, sip_status, missing].every((value) => value === undefined))
    return denominatorOfSaid(filters)
  // rates of answered calls are of those that are known to be answered or not
  const isKnown = ['true', 'false'].includes(String(answered))
  return { filters: isKnown ? { ...rest, answered: 'known' } : rest }
}

/** Calls with these words are a part of all that have a conversation, or one with that vendor. */
function denominatorOfSaid({ said, ...rest }: Filters): ReturnType<typeof denominatorOf> {
  if (said === undefined) return undefined
  if (rest.voice !== undefined || rest.voice_of !== undefined) return { filters: rest }
  return { filters: { ...rest, voice: 'calls' }, counted_for: 'calls' }
}

function measureOfDenominator(measure: VoiceMeasure | undefined, { at_least, voice_of }: Filters) {
  if (measure === undefined) return undefined
  // each time is at least 0
  if (isTimedMeasure(measure)) return Number(at_least ?? 0) > 0 ? measure : undefined
  const isOfVendor = String(voice_of).startsWith('vendor/')
  return measure === 'failed' && isOfVendor ? 'requests' : DENOMINATORS[measure]
}
