import { expect, it } from 'vitest'
import { denominatorOf } from './denominator.ts'
import { VOICE_MEASURES } from './voice-measures.ts'

const vendor = { voice_of: 'vendor/recognition/google' }
const recognizer = { voice_of: 'recognizer/google/de-DE' }
const carrier = { trunk: 'North', direction: 'inbound', filter: '49' }

it.each([
  // times, of those that have one
  [{ voice: 'response', at_least: '2000' }, { voice: 'response' }],
  [
    { voice: 'answer', at_least: 1, ...recognizer },
    { voice: 'answer', ...recognizer },
  ],
  [{ at_least: '2000' }, { voice: 'response' }],
  [{ voice: 'first_audio', at_least: '0' }, undefined],
  [{ voice: 'response' }, undefined],
  // what happened, of those in which it could
  [
    { voice: 'failed', ...vendor },
    { voice: 'requests', ...vendor },
  ],
  [
    { voice: 'failed', ...recognizer },
    { voice: 'turns', ...recognizer },
  ],
  [{ voice: 'failed' }, { voice: 'turns' }],
  // other filters stay
  [
    { voice: 'not_cached', answered: 'true', at_least: '5', ...carrier },
    { voice: 'prompts', answered: 'true', ...carrier },
  ],
  [
    { voice: 'turns', answered: 'true' },
    { voice: 'turns', answered: 'known' },
  ],
  // how they ended
  [
    { answered: 'true', ...carrier },
    { answered: 'known', ...carrier },
  ],
  [{ answered: false, sip_status: 503 }, { answered: 'known' }],
  [{ answered: 'unknown' }, {}],
  [{ sip_status: 503, ...vendor }, vendor],
  [{ missing: 'trunk' }, {}],
  // what was said in them
  [
    { said: 'refund', trunk: 'North' },
    { voice: 'calls', trunk: 'North' },
  ],
  [{ said: 'refund', ...recognizer }, recognizer],
  [{ said: 'refund', voice: 'turns' }, { voice: 'turns' }],
  [
    { said: 'refund', voice: 'failed' },
    { said: 'refund', voice: 'turns' },
  ],
  [
    { said: 'refund', answered: 'false' },
    { said: 'refund', answered: 'known' },
  ],
  // nothing singles them out
  [{}, undefined],
  [{ ...carrier, application_sid: 'x', prefix: '49' }, undefined],
  [recognizer, undefined],
])('%o is a part of %o', (filters, denominator) => {
  expect(denominatorOf(filters)?.filters).toEqual(denominator)
})

it('knows the denominator of each measure', () => {
  const denominators = VOICE_MEASURES.map((voice) => [voice, denominatorOf({ voice })?.counted_for])
  expect(Object.fromEntries(denominators)).toEqual({
    ...{ calls: undefined, turns: undefined, prompts: undefined, requests: undefined },
    ...{ not_understood: 'turns', timed_out: 'turns', failed: 'turns', hung_up: 'turns' },
    ...{ cached: 'prompts', not_cached: 'prompts' },
    ...{ ended_by_caller: 'calls', ended_by_application: 'calls' },
    ...{ barge_ins: 'barge_in_known', barge_in_known: undefined, talk_known: undefined },
    // with a time only
    ...{ response: undefined, answer: undefined, first_audio: undefined },
    ...{ talk_over: undefined, silence_before: undefined },
  })
})
