import {
  answer,
  answered,
  call,
  DEFAULT,
  DIGITS,
  type Example,
  type ExpectedHeard,
  gather,
  HUNG_UP_BY_APPLICATION,
  HUNG_UP_BY_CALLER,
  hook,
  late,
  over,
  PROMPTED,
  prompt,
  result,
  SPEECH,
  say,
  span,
  tts,
} from './example.ts'

const detected = { reason: 'speechDetected' }

/** One turn whose recognizer wrote something odd; its times are of no interest. */
function odd(name: string, attributes: Record<string, string>, heard: ExpectedHeard): Example {
  return {
    name,
    spans: [
      call(5000),
      answered(200),
      gather('g', 210, 1300, DEFAULT, 'speech', attributes),
      hook('h', 'g', 1200, 306, '/bot', detected),
      say('s', 1511, 2500, 'One moment'),
      tts('t', 's', 1512, 3, true),
      over(4900, 'caller'),
    ],
    expected: {
      answered: 200,
      ended: 4900,
      hung_up_by: 'caller',
      slowest: null,
      median_ms: null,
      heard: [
        {
          at: 1200,
          outcome: 'speech',
          error: null,
          asked_again: false,
          ...heard,
          response: answer('result', 1200, { webhook: 306, hand_over: 5, voice: 4 }, 'voice', 315),
        },
      ],
      said: [{ at: 1511 }],
      events: [HUNG_UP_BY_CALLER],
      findings: [],
      noFindings: [/confidence/i, /NaN|undefined|\[object/],
    },
  }
}

const NONE: ExpectedHeard = {
  transcript: null,
  digits: null,
  confidence: null,
  language: null,
  vendor: null,
  label: null,
  instead_of: null,
}
const NAMED: ExpectedHeard = { ...NONE, vendor: 'aws', language: 'en-US' }

const ofResult = (value: object) => ({
  'stt.result': JSON.stringify({ language_code: 'en-US', vendor: { name: 'aws' }, ...value }),
})

const BIDI =
  'مرحبا \u202eabc\u202c <b onmouseover="alert(1)">أريد</b> & "أحمد" 🙂\n\u2066{{x}}\u2069'
const LONG = 'so and so on '.repeat(8000)

/** Everything as text and every span twice, as Zipkin's exporter sends them. */
const zipkin = [
  call(9000),
  span('f', 'a', 231, 29, 'call-status:in-progress', { sipStatus: '200' }),
  span('g', 'a', 240, 3025, `verb:gather{${SPEECH}}`, {
    channel: '1',
    'stt.label': 'None',
    'stt.resolve': 'speech',
    ...result('where is it', 0.9),
    'stt.latency_ms': '300',
  }),
  span('h', 'g', 3000, 260, 'verb:hook (/bot)', {
    'http.body': '{"reason":"speechDetected"}',
    'http.statusCode': '200',
  }),
  span('s', 'a', 3270, 1800, 'verb:say{text=Hello}'),
  span('t1', 's', 3271, 1000, 'tts-generation', { 'tts.vendor': 'elevenlabs' }),
  span('t2', 's', 4272, 98, 'tts-generation', { 'tts.vendor': 'google', 'tts.cached': 'false' }),
  span('c', 'a', 8900, 30, 'call-status:completed', {
    callTerminationBy: 'caller',
    duration: '8',
  }),
]

export const hostile: Example[] = [
  odd('The result has no alternatives', ofResult({}), NAMED),
  odd('The alternatives are empty', ofResult({ alternatives: [] }), NAMED),
  odd('The alternatives are text', ofResult({ alternatives: 'hello' }), NAMED),
  odd('The first alternative is null', ofResult({ alternatives: [null] }), NAMED),
  odd(
    'The transcript and the confidence are of the wrong type',
    ofResult({ alternatives: [{ transcript: { a: 1 }, confidence: 'high' }] }),
    NAMED,
  ),
  odd(
    'The transcript is empty',
    ofResult({ alternatives: [{ transcript: '', confidence: 0 }] }),
    NAMED,
  ),
  odd(
    'The vendor and the language are of the wrong type',
    { 'stt.result': '{"language_code":7,"vendor":["aws"],"alternatives":{"0":{}}}' },
    NONE,
  ),
  odd('The result is the start of JSON', { 'stt.result': '{"alternatives":[{"trans' }, NONE),
  odd('The result is null', { 'stt.result': 'null' }, NONE),
  odd('The result is a list', { 'stt.result': '[]' }, NONE),
  odd('The result is a number', { 'stt.result': '42' }, NONE),
  odd('The result is missing', {}, NONE),
  ...['abc', '-5', 'NaN', '1e999', '{}', ',', '400,'].map((latency) =>
    odd(`The latency is ${latency}`, late(latency, 'hello', 0.9), {
      transcript: 'hello',
      confidence: 0.9,
    }),
  ),
  odd('Text runs from right to left and has markup', result(BIDI, 0.9, 'google', 'ar-EG'), {
    transcript: BIDI,
    language: 'ar-EG',
  }),
  odd('A transcript has 104 kB', result(LONG, 0.9), { transcript: LONG }),
  {
    name: 'The body of a hook is no JSON',
    spans: [
      call(5000),
      answered(200),
      gather('g1', 210, 1300, DIGITS, 'dtmf-num-digits'),
      span('h1', 'g1', 1200, 306, 'verb:hook ([object Object])', {
        'http.body': '{"digits":"12',
        'http.statusCode': 200,
      }),
      gather('g2', 1515, 1300, DIGITS, 'dtmf-num-digits'),
      span('h2', 'g2', 2500, 306, 'verb:hook ([object Object])', {
        'http.body': 'null',
        'http.statusCode': 200,
      }),
      gather('g3', 2820, 1000, DIGITS, 'dtmf-num-digits'),
      hook('h3', 'g3', 3500, 306, '/x', { digits: { a: 1 } }),
      span('x', 'a', 3825, 1, 'verb:hangup'),
      over(3827, 'jambonz'),
    ],
    expected: {
      slowest: null,
      median_ms: null,
      heard: [
        {
          at: 1200,
          outcome: 'digits',
          digits: null,
          response: answer('key', 1200, { webhook: 306, hand_over: 9 }, 'verb', 315),
        },
        {
          at: 2500,
          outcome: 'digits',
          digits: null,
          response: answer('key', 2500, { webhook: 306, hand_over: 14 }, 'verb', 320),
        },
        {
          at: 3500,
          outcome: 'digits',
          digits: null,
          response: answer('key', 3500, { webhook: 306, hand_over: 19 }, 'verb', 325),
        },
      ],
      said: [],
      events: [HUNG_UP_BY_APPLICATION],
      findings: [],
    },
  },
  {
    name: 'Spans are their own ancestors',
    spans: [
      call(9000),
      answered(231),
      span('x1', 'x2', 235, 10, 'verb:tag'),
      span('x2', 'x1', 236, 10, 'verb:config{enable barge-in}'),
      span('x3', 'x3', 237, 10, 'invite', { 'invite.status_code': 200 }),
      span('x4', 'x6', 238, 4000, 'nested:listen'),
      span('x5', 'x4', 238, 4000, 'nested:listen'),
      span('x6', 'x5', 238, 4000, 'nested:listen'),
      gather('g', 240, 3025, SPEECH, 'speech', late('280', 'help', 0.9)),
      hook('h', 'g', 3000, 260, '/bot', detected),
      say('s', 3270, 1800, 'Hello'),
      tts('t', 's', 3272, 98, false),
      over(8900, 'caller'),
    ],
    expected: {
      answered: 231,
      ended: 8900,
      slowest: 0,
      median_ms: 650,
      heard: [
        {
          at: 3000,
          transcript: 'help',
          response: answer(
            'speech',
            2720,
            { recognition: 280, webhook: 260, hand_over: 10, voice: 100 },
            'voice',
            650,
          ),
        },
      ],
      said: [{ at: 3270, end: 5070 }],
      events: [HUNG_UP_BY_CALLER],
      findings: [],
    },
  },
  {
    name: 'Every value came as text and every span twice',
    spans: [...zipkin, ...zipkin],
    expected: {
      answered: 231,
      ended: 8900,
      hung_up_by: 'caller',
      slowest: 0,
      median_ms: 1670,
      heard: [
        {
          at: 3000,
          from: 240,
          side: 'caller',
          transcript: 'where is it',
          response: answer(
            'speech',
            2700,
            { recognition: 300, webhook: 260, hand_over: 10, voice: 1100 },
            'voice',
            1670,
          ),
        },
      ],
      said: [
        {
          at: 3270,
          cached: false,
          voice_ms: 1100,
          failed: [{ vendor: 'elevenlabs', ms: 1001 }],
          is_spoken: true,
        },
      ],
      events: [HUNG_UP_BY_CALLER],
      findings: [/elevenlabs/i],
      noFindings: [/webhook/i],
    },
  },
  {
    // Only the shape can be judged: no duration may be negative.
    name: 'Spans end before they start',
    spans: [
      call(9000),
      answered(231),
      gather('g', 240, 2760, SPEECH, 'speech', late('280', 'help', 0.9)),
      hook('h', 'g', 3000, -40, '/bot', detected),
      say('s', 3270, -5, 'Hello'),
      tts('t', 's', 3272, -9, false),
      say('s2', 3280, 1000, 'Goodbye!'),
      tts('t2', 's2', 3281, 9, true),
      over(8900, 'caller'),
    ],
    expected: {
      answered: 231,
      ended: 8900,
      heard: [{ at: 3000, outcome: 'speech', transcript: 'help' }],
      said: [{ at: 3270 }, { at: 3280, end: 4280, voice_ms: 10 }],
      events: [HUNG_UP_BY_CALLER],
      findings: [],
      noFindings: [/-\d/, /NaN/],
    },
  },
  {
    // Only the shape can be judged: no duration may be negative.
    name: 'The clock is set back by a minute within a turn',
    spans: [
      call(9000),
      answered(60231),
      gather('g', 60240, 3025, SPEECH, 'speech', late('280', 'help', 0.9)),
      hook('h', 'g', 63000, 260, '/bot', detected),
      say('s', 3270, 1800, 'Hello'),
      tts('t', 's', 3272, 98, false),
      over(8900, 'caller'),
    ],
    expected: {
      answered: 60231,
      ended: 8900,
      heard: [{ at: 63000, transcript: 'help' }],
      said: [{ at: 3270, voice_ms: 100 }],
      events: [],
      findings: [],
      noFindings: [/-\d/, /NaN/],
    },
  },
  {
    name: 'Text has braces and markup',
    spans: [
      call(9000),
      answered(200),
      say('s1', 210, 1000, 'Hello {name}, w...'),
      say('s2', 1211, 1000, '<speak><b>Hi yo...'),
      say('s3', 2212, 1000, '...'),
      say('s4', 3213, 1000, ''),
      say('s5', 4214, 1000, 'أهلاً وسهلاً'),
      say('s6', 5215, 1000, 'a},language=x}'),
      over(8900, 'caller'),
    ],
    expected: {
      greeting_ms: null,
      heard: [],
      said: [
        { text: 'Hello {name}, w', is_cut: true },
        { text: '<speak><b>Hi yo', is_cut: true },
        { at: 2212 },
        { at: 3213, is_cut: false },
        { text: 'أهلاً وسهلاً', is_cut: false },
        { text: 'a},language=x}', is_cut: false },
      ],
      events: [HUNG_UP_BY_CALLER],
      findings: [],
    },
  },
  {
    name: 'Names say almost nothing',
    spans: [
      call(900),
      span('x1', 'a', 10, 1, ''),
      span('x2', 'a', 11, 1, 'verb:'),
      span('x3', 'a', 12, 1, 'call-status:'),
      span('x4', 'a', 13, 1, 'stt-listen'),
      span('x5', 'a', 14, 1, '__proto__'),
      span('x6', 'a', 15, 1, 'constructor', { constructor: 'x', __proto__x: true }),
      span('x7', 'nowhere', 16, 1, 'toString'),
    ],
    expected: {
      answered: null,
      ended: null,
      recording: null,
      hung_up_by: null,
      greeting_ms: null,
      slowest: null,
      median_ms: null,
      said: [],
      heard: [],
      events: [],
      findings: [],
    },
  },
  {
    name: 'A trace is only its root',
    spans: [call(900)],
    expected: {
      answered: null,
      ended: null,
      recording: null,
      hung_up_by: null,
      greeting_ms: null,
      slowest: null,
      median_ms: null,
      heard: [],
      said: [],
      events: [],
      findings: [],
    },
  },
  {
    name: 'Spans arrive in reverse order',
    spans: [
      over(8900, 'caller'),
      tts('t2', 's', 3272, 98, false),
      say('s', 3270, 1800, 'Hello'),
      hook('h', 'g', 3000, 260, '/bot', detected),
      tts('t', 'n', 242, 20, false),
      prompt('n', 'g', 241, 1500, 'Name?'),
      gather('g', 240, 3025, SPEECH + PROMPTED, 'speech', late('280', 'Ann', 0.9)),
      answered(231),
      call(9000),
    ],
    expected: {
      answered: 231,
      ended: 8900,
      greeting_ms: 31,
      slowest: 0,
      median_ms: 650,
      heard: [
        {
          at: 3000,
          from: 1741,
          transcript: 'Ann',
          response: answer(
            'speech',
            2720,
            { recognition: 280, webhook: 260, hand_over: 10, voice: 100 },
            'voice',
            650,
          ),
        },
      ],
      said: [
        { at: 241, end: 1741, text: 'Name?', voice_ms: 21, is_interrupted: false },
        { at: 3270, end: 5070, is_interrupted: false },
      ],
      events: [HUNG_UP_BY_CALLER],
      findings: [],
    },
  },
]
