import type { ResponseTime } from '@switchroom/contract'
import {
  answer,
  answered,
  call,
  type Example,
  type ExampleSpan,
  type Expected,
  type ExpectedHeard,
  gather,
  HUNG_UP_BY_CALLER,
  hook,
  late,
  over,
  PROMPTED,
  result,
  SPEECH,
  say,
  span,
  tts,
} from './example.ts'

const RECOGNIZED = 3000
const detected = { reason: 'speechDetected' }

/** Example of a turn whose speech ended at 2900 and was recognized at 3000, and its response. */
function after(
  name: string,
  {
    spans,
    response,
    turns = [],
    ...rest
  }: Omit<Expected, 'heard'> & {
    spans: ExampleSpan[]
    response: ResponseTime
    /** Turns that follow it. */
    turns?: ExpectedHeard[]
  },
  gatherEnd = 3404,
): Example {
  return {
    name,
    spans: [
      call(30100),
      answered(200),
      gather('g', 210, gatherEnd - 210, SPEECH, 'speech', late('100', 'my balance', 0.9)),
      ...spans,
    ],
    expected: {
      answered: 200,
      greeting_ms: null,
      heard: [
        {
          at: RECOGNIZED,
          from: 210,
          transcript: 'my balance',
          asked_again: false,
          response,
        },
        ...turns,
      ],
      ...rest,
    },
  }
}

const end = over(30000, 'caller')
const answer400 = hook('h', 'g', 3000, 400, '/bot', detected)
const elevenlabs = { 'tts.vendor': 'elevenlabs' }

export const answers: Example[] = [
  after('A redirect follows the webhook', {
    spans: [
      answer400,
      span('d', 'a', 3405, 610, 'verb:redirect'),
      span('e', 'd', 3406, 600, 'session:redirect (https://app/next)', {
        'http.statusCode': 200,
        'http.body': '{}',
      }),
      say('s', 4020, 2000, 'Your balance is...'),
      tts('t', 's', 4021, 3, true),
      end,
    ],
    response: answer(
      'speech',
      2900,
      { recognition: 100, webhook: 1006, hand_over: 14, voice: 4 },
      'voice',
      1124,
    ),
    slowest: 0,
    median_ms: 1124,
    said: [{ at: 4020, end: 6020, is_interrupted: false }],
    events: [/redirect/i, HUNG_UP_BY_CALLER],
    findings: [/Nothing was said/],
  }),
  after('A pause comes before the answer', {
    spans: [
      answer400,
      span('p', 'a', 3405, 1000, 'verb:pause'),
      say('s', 4408, 2000, 'Your balance is...'),
      tts('t', 's', 4409, 3, true),
      end,
    ],
    response: answer(
      'speech',
      2900,
      { recognition: 100, webhook: 400, hand_over: 8, pause: 1000, voice: 4 },
      'voice',
      1512,
    ),
    slowest: 0,
    median_ms: 1512,
    said: [{ at: 4408 }],
    events: [/pause/i, HUNG_UP_BY_CALLER],
    findings: [/Nothing was said/],
  }),
  after('Verbs that do not speak come before the answer', {
    spans: [
      answer400,
      span('v1', 'a', 3405, 2, 'verb:config{set synthesizer{google,en-US,A,None}}'),
      span('v2', 'a', 3408, 1, 'verb:tag'),
      span('v3', 'a', 3410, 80, 'verb:dtmf'),
      span('v4', 'a', 3491, 1, 'verb:alert'),
      span('v5', 'a', 3493, 100, 'verb:message'),
      say('s', 3594, 2000, 'Your balance is...'),
      tts('t', 's', 3595, 3, true),
      end,
    ],
    response: answer(
      'speech',
      2900,
      { recognition: 100, webhook: 400, hand_over: 194, voice: 4 },
      'voice',
      698,
    ),
    median_ms: 698,
    said: [{ at: 3594 }],
    events: [HUNG_UP_BY_CALLER],
    findings: [/Nothing was said/],
  }),
  after('The webhook answers 500 and the list goes on', {
    spans: [
      hook('h', 'g', 3000, 250, '/bot', detected, 500),
      say('s', 3408, 2000, 'Goodbye!'),
      tts('t', 's', 3409, 3, true),
      end,
    ],
    response: answer(
      'speech',
      2900,
      { recognition: 100, webhook: 250, hand_over: 158, voice: 4 },
      'voice',
      512,
    ),
    said: [{ at: 3408, text: 'Goodbye!' }],
    events: [HUNG_UP_BY_CALLER],
    findings: [/webhook/i, /Nothing was said/],
  }),
  after(
    'The webhook is never answered and the list goes on',
    {
      spans: [
        hook('h', 'g', 3000, 10003, '/bot', detected, null),
        say('s', 13010, 2000, 'Goodbye!'),
        tts('t', 's', 13011, 3, true),
        end,
      ],
      response: answer(
        'speech',
        2900,
        { recognition: 100, webhook: 10003, hand_over: 7, voice: 4 },
        'voice',
        10114,
      ),
      slowest: 0,
      median_ms: 10114,
      said: [{ at: 13010 }],
      events: [HUNG_UP_BY_CALLER],
      findings: [/webhook/i, /nothing was said/i, /waited 10 s/i],
    },
    13005,
  ),
  after(
    'The webhook takes nine seconds',
    {
      spans: [
        hook('h', 'g', 3000, 9200, '/bot', detected),
        say('s', 12205, 2000, 'Your balance is...'),
        tts('t', 's', 12206, 300, false),
        end,
      ],
      response: answer(
        'speech',
        2900,
        { recognition: 100, webhook: 9200, hand_over: 5, voice: 301 },
        'voice',
        9606,
      ),
      slowest: 0,
      said: [{ at: 12205, voice_ms: 301 }],
      events: [HUNG_UP_BY_CALLER],
      findings: [/webhook/i, /nothing was said/i, /waited 9\.6 s/i],
      noFindings: [/hung up/i],
    },
    12202,
  ),
  after('The answer is a sound', {
    spans: [
      answer400,
      span('s', 'a', 3407, 2000, 'verb:play:{url=https://app.example/a.wav?x={1}}'),
      hook('h2', 's', 5300, 100, '/played', { reason: 'playCompleted' }),
      end,
    ],
    response: answer(
      'speech',
      2900,
      { recognition: 100, webhook: 400, hand_over: 7 },
      'unknown',
      null,
    ),
    slowest: null,
    median_ms: null,
    said: [
      {
        at: 3407,
        end: 5407,
        text: null,
        url: 'https://app.example/a.wav?x={1}',
        cached: null,
        voice_ms: null,
      },
    ],
    events: [HUNG_UP_BY_CALLER],
    findings: [/Nothing was said/],
  }),
  after('The answer is streamed', {
    spans: [
      answer400,
      span('b', 'a', 205, 29800, 'background-ttsStream:say streaming'),
      span('s', 'a', 3407, 2000, 'verb:say streaming'),
      end,
    ],
    response: answer(
      'speech',
      2900,
      { recognition: 100, webhook: 400, hand_over: 7 },
      'unknown',
      null,
    ),
    slowest: null,
    said: [
      {
        at: 3407,
        end: 5407,
        text: null,
        is_cut: false,
        url: null,
        is_streamed: true,
        vendor: null,
        cached: null,
        voice_ms: null,
        failed: [],
        is_spoken: true,
      },
    ],
    events: [HUNG_UP_BY_CALLER],
    findings: [],
  }),
  after('Every vendor fails to speak the answer', {
    spans: [
      answer400,
      say('s', 3407, 2100, 'Your balance is...'),
      tts('t1', 's', 3408, 1500, null, elevenlabs),
      tts('t2', 's', 4909, 590, null),
      say('s2', 5510, 900, 'Sorry'),
      tts('t3', 's2', 5511, 3, true),
      end,
    ],
    response: answer(
      'speech',
      2900,
      { recognition: 100, webhook: 400, hand_over: 7 },
      'unknown',
      null,
    ),
    said: [
      {
        at: 3407,
        voice_ms: null,
        cached: null,
        failed: [
          { vendor: 'elevenlabs', ms: 1501 },
          { vendor: 'google', ms: 590 },
        ],
        is_spoken: false,
      },
      { at: 5510, failed: [], is_spoken: true },
    ],
    events: [HUNG_UP_BY_CALLER],
    findings: [/elevenlabs/i, /Nothing was said or/],
  }),
  after('The second vendor speaks the answer', {
    spans: [
      answer400,
      say('s', 3407, 5000, 'Your balance is...'),
      tts('t1', 's', 3408, 1500, null, elevenlabs),
      tts('t2', 's', 4910, 290, false),
      end,
    ],
    response: answer(
      'speech',
      2900,
      { recognition: 100, webhook: 400, hand_over: 7, voice: 1793 },
      'voice',
      2300,
    ),
    slowest: 0,
    said: [
      {
        at: 3407,
        vendor: 'google',
        cached: false,
        voice_ms: 1793,
        failed: [{ vendor: 'elevenlabs', ms: 1502 }],
        is_spoken: true,
      },
    ],
    events: [HUNG_UP_BY_CALLER],
    findings: [/elevenlabs/i, /waited 2\.3 s/i, /Nothing was said/],
  }),
  after('A long text is split', {
    spans: [
      answer400,
      say('s', 3407, 20000, 'Our terms are a...'),
      tts('t', 's', 3640, 510, false),
      end,
    ],
    response: answer(
      'speech',
      2900,
      { recognition: 100, webhook: 400, hand_over: 7, voice: 743 },
      'voice',
      1250,
    ),
    said: [{ at: 3407, end: 23407, voice_ms: 743, is_interrupted: false }],
    events: [HUNG_UP_BY_CALLER],
    findings: [],
  }),
  after('The answer is the prompt of a gather, and is cut', {
    spans: [
      answer400,
      gather('g2', 3405, 1799, SPEECH + PROMPTED, 'speech', result('stop', 0.9)),
      tts('t', 'n', 3408, 200, false),
      hook('h2', 'g2', 4500, 700, '/bot', detected),
      span('x', 'a', 5206, 1, 'verb:hangup'),
      over(5207, 'jambonz'),
    ],
    response: answer(
      'speech',
      2900,
      { recognition: 100, webhook: 400, hand_over: 8, voice: 200 },
      'voice',
      708,
    ),
    turns: [
      {
        at: 4500,
        from: 3405,
        transcript: 'stop',
        asked_again: false,
        response: answer('result', 4500, { webhook: 700, hand_over: 6 }, 'verb', 706),
      },
    ],
    slowest: 0,
    median_ms: 708,
    said: [{ at: 3408, end: null, text: null, voice_ms: 200, is_interrupted: true }],
    events: [/application hung up/i],
    findings: [],
  }),
  after('The answer is a model', {
    spans: [
      answer400,
      span('l', 'a', 3411, 26589, 'verb:Llm_Ultravox_s2s'),
      hook('h2', 'l', 29990, 50, '/done', { completionReason: 'server failure' }),
      end,
    ],
    response: answer(
      'speech',
      2900,
      { recognition: 100, webhook: 400, hand_over: 11 },
      'verb',
      511,
    ),
    slowest: null,
    median_ms: null,
    said: [],
    events: [/ultravox/i, HUNG_UP_BY_CALLER],
    findings: [/ended with “server failure”/],
    noFindings: [/nothing was said/i],
  }),
  after('The caller leaves between the webhook and the next verb', {
    spans: [answer400, over(3403, 'caller')],
    response: answer(
      'speech',
      2900,
      { recognition: 100, webhook: 400, hand_over: 3 },
      'hangup',
      503,
    ),
    ended: 3403,
    slowest: null,
    median_ms: null,
    said: [],
    events: [HUNG_UP_BY_CALLER],
    findings: [],
    // half a second is not why somebody hangs up
    noFindings: [/hung up/i],
  }),
  after('The end of the call is not in the trace', {
    spans: [answer400],
    response: answer('speech', 2900, { recognition: 100, webhook: 400 }, 'unknown', null),
    ended: null,
    hung_up_by: null,
    slowest: null,
    median_ms: null,
    said: [],
    events: [],
    findings: [],
    noFindings: [/hung up/i],
  }),
]
