import { describe, expect, it } from 'vitest'
import { costOf, priceOf } from '../../calls/model-use/cost.ts'
import { type Part, partWithoutWords } from './parts.ts'
import { readEvent } from './read-event.ts'
import { turnsOf } from './turns.ts'

type Event = [at: number, event: object]
const told = (events: readonly Event[], rewrite = (part: Part) => part) =>
  turnsOf(events.map(([at, event]) => ({ at, parts: readEvent(event)?.parts.map(rewrite) ?? [] })))

/** The turns in short: who, when, what, and marks. */
function short(events: readonly Event[], rewrite?: (part: Part) => Part) {
  return told(events, rewrite).turns.map((turn) => {
    const { at, end, what, side, text, tool, tokens, is_interrupted } = turn
    const words = tool
      ? `${tool.name}(${tool.arguments})=${tool.result}${tool.has_failed ? '!' : ''}`
      : text
    return [
      `${at}${end === null ? '' : `-${end}`}`,
      what === 'words' ? side : what,
      ...(words === null ? [] : [words]),
      ...(tokens ? [`${tokens.input}/${tokens.cached}/${tokens.output}`] : []),
      ...(is_interrupted ? ['cut'] : []),
    ].join(' ')
  })
}

const item = 'conversation.item'
const OPEN_AI: Event[] = [
  [0, { type: 'session.created', event_id: 'e0', session: { model: 'gpt-realtime-mini' } }],
  [1_000, { type: 'input_audio_buffer.speech_started', item_id: 'i1' }],
  [2_000, { type: 'input_audio_buffer.speech_stopped', item_id: 'i1' }],
  [2_100, { type: 'response.created', response: { id: 'r1' } }],
  [
    2_300,
    {
      type: 'response.output_item.done',
      item: {
        type: 'function_call',
        call_id: 'c1',
        name: 'get_weather',
        arguments: '{"city":"Oslo"}',
      },
    },
  ],
  [
    2_310,
    { type: 'response.function_call_arguments.done', call_id: 'c1', arguments: '{"city":"Oslo"}' },
  ],
  [
    2_320,
    {
      type: 'response.done',
      response: {
        id: 'r1',
        status: 'completed',
        usage: {
          ...{ total_tokens: 130, input_tokens: 110, output_tokens: 20 },
          input_token_details: { cached_tokens: 64 },
        },
      },
    },
  ],
  [
    2_400,
    {
      type: `${item}.input_audio_transcription.completed`,
      ...{ item_id: 'i1', transcript: 'How is the weather in Oslo?' },
      usage: { type: 'tokens', input_tokens: 900, output_tokens: 900 },
    },
  ],
  [
    2_900,
    {
      type: `${item}.created`,
      item: { type: 'function_call_output', call_id: 'c1', output: '12 C' },
    },
  ],
  [3_000, { type: 'output_audio.playback_started' }],
  [3_100, { type: 'response.audio_transcript.delta', delta: 'It is' }],
  [3_200, { type: 'response.audio_transcript.done', response_id: 'r2', transcript: 'It is 12.' }],
  [
    3_300,
    {
      type: 'response.done',
      response: {
        id: 'r2',
        status: 'completed',
        usage: { input_tokens: 200, output_tokens: 30 },
      },
    },
  ],
  [4_000, { type: 'input_audio_buffer.speech_started', item_id: 'i2' }],
  [4_010, { type: `${item}.truncated`, item_id: 'x' }],
  [
    5_000,
    { type: `${item}.input_audio_transcription.completed`, item_id: 'i2', transcript: 'Thanks' },
  ],
  [6_000, { type: 'error', error: { code: 'session_expired', message: 'It ended' } }],
  [6_100, { type: 'mcp_list_tools.in_progress' }],
]

describe('events of a model session', () => {
  it('are turns at their moments, of OpenAI', () => {
    expect(short(OPEN_AI)).toEqual([
      '1000 caller How is the weather in Oslo?',
      '2300-2900 tool get_weather({"city":"Oslo"})=12 C',
      '2320 usage 110/64/20',
      '3000-4000 model It is 12. 200/0/30 cut',
      '4000 interruption',
      '4000 caller Thanks',
      '6000 error session_expired: It ended',
      '6100 other mcp_list_tools.in_progress',
    ])
    const { vendor, model, tokens, characters } = told(OPEN_AI)
    expect({ vendor, model, tokens, characters }).toEqual({
      ...{ vendor: 'openai', model: 'gpt-realtime-mini', characters: 9 },
      tokens: { input: 310, cached: 64, output: 50 },
    })
  })

  it('of Deepgram', () => {
    const call = { id: 'f1', name: 'book', arguments: '{"n":2}', client_side: true }
    expect(
      short([
        [0, { type: 'Welcome', request_id: 'q' }],
        [10, { type: 'ConversationText', role: 'assistant', content: 'Hello' }],
        [20, { type: 'AgentStartedSpeaking', total_latency: 0.4 }],
        [900, { type: 'UserStartedSpeaking' }],
        [1_500, { type: 'ConversationText', role: 'user', content: 'A table' }],
        [1_600, { type: 'FunctionCallRequest', functions: [call] }],
        [1_900, { type: 'FunctionCallResponse', id: 'f1', name: 'book', content: 'ok' }],
        [2_000, { type: 'Warning', code: 'SLOW', description: 'Slow model' }],
        [2_100, { type: 'PromptUpdated' }],
      ]),
    ).toEqual([
      '10-900 model Hello cut',
      '900 interruption',
      '900 caller A table',
      '1600-1900 tool book({"n":2})=ok',
      '2000 error SLOW: Slow model',
      '2100 other PromptUpdated',
    ])
  })

  it('of Ultravox, in the vendor’s spelling as in the platform’s', () => {
    expect(
      short([
        [0, { type: 'call_started', callId: 'u' }],
        [10, { type: 'transcript', role: 'agent', text: 'Hel', final: false }],
        [20, { type: 'transcript', role: 'agent', text: 'Hello', final: true, ordinal: 1 }],
        [30, { type: 'transcript', role: 'user', text: 'Hi', final: true }],
        [
          40,
          {
            ...{ type: 'client_tool_invocation', toolName: 'find', invocationId: 't' },
            parameters: { lastName: 'Doe' },
          },
        ],
        [
          50,
          { type: 'client_tool_result', invocationId: 't', errorType: 'undefined', result: 'no' },
        ],
        [60, { type: 'playback_clear_buffer' }],
      ]),
    ).toEqual([
      '20 model Hello cut',
      '30 caller Hi',
      '40-50 tool find({"lastName":"Doe"})=no!',
      '60 interruption',
    ])
  })

  it('of ElevenLabs, with what the caller heard of an interrupted answer', () => {
    const corrected = { original_agent_response: 'We open at', corrected_agent_response: 'We' }
    expect(
      short([
        [0, { type: 'conversation_initiation_metadata' }],
        [1, { type: 'ping' }],
        [5, { type: 'user_transcript', user_transcription_event: { user_transcript: 'When?' } }],
        [9, { type: 'agent_response', agent_response_event: { agent_response: 'We open at' } }],
        [12, { type: 'interruption', interruption_event: { event_id: 3 } }],
        [13, { type: 'agent_response_correction', agent_response_correction_event: corrected }],
      ]),
    ).toEqual(['5 caller When?', '9 model We cut', '12 interruption'])
  })

  it('of Google, whose words come in pieces', () => {
    const says = (text: string) => ({ server_content: { output_transcription: { text } } })
    const usage_metadata = {
      ...{ prompt_token_count: 50, cached_content_token_count: 10 },
      response_token_count: 7,
    }
    expect(
      short([
        [0, { setup_complete: {} }],
        [5, { serverContent: { inputTranscription: { text: 'Book a ' } } }],
        [6, { serverContent: { inputTranscription: { text: 'table' } } }],
        [10, says('For how')],
        [11, { server_content: { model_turn: { parts: [{ inline_data: { data: 'AAAA' } }] } } }],
        [12, says(' many?')],
        [13, { server_content: { turn_complete: true }, usage_metadata }],
        [20, says('Hello?')],
        [21, { server_content: { interrupted: true } }],
        [30, { tool_call: { function_calls: [{ id: '7', name: 'book', args: { n: 2 } }] } }],
        [33, { type: 'command', command: 'llm:tool-output', tool_call_id: '7', data: { ok: 1 } }],
      ]),
    ).toEqual([
      '5-6 caller Book a table',
      '10-12 model For how many? 50/10/7',
      '20-20 model Hello? cut',
      '21 interruption',
      '30-33 tool book({"n":2})={"ok":1}',
    ])
  })

  it('are read from the platform’s messages over a WebSocket too', () => {
    const event = { type: 'ConversationText', role: 'user', content: 'Hi' }
    const message = { type: 'llm:event', msgid: 'm1', call_sid: 'c', hook: '/e', data: event }
    expect(readEvent(message)).toMatchObject({ id: 'm1', call_sid: 'c' })
    expect(
      short([
        [1, message],
        [
          2,
          {
            type: 'llm:tool-call',
            data: { tool_call_id: 't', name: 'find', args: { cityName: 'x' } },
          },
        ],
        [
          3,
          {
            ...{ type: 'command', command: 'llm:tool-output', tool_call_id: 't' },
            data: { type: 'conversation.item.create', item: { call_id: 't', output: '12' } },
          },
        ],
      ]),
    ).toEqual(['1 caller Hi', '2-3 tool find({"cityName":"x"})=12'])
  })

  it.each<[string, unknown]>([
    ['a text', 'hello'],
    ['a list', [{ type: 'x' }]],
    ['nothing', null],
    ['no type', { hello: 1 }],
    ['an empty message', { type: 'llm:event', data: {} }],
  ])('are not %s', (_, value) => {
    expect(readEvent(value)).toBeUndefined()
  })

  it('survive what nobody sends', () => {
    const odd: Event[] = [
      ...['constructor', '__proto__', 'toString'].map((type): Event => [1, { type }]),
      [
        2,
        { type: 'response.done', response: { usage: { input_tokens: -1, output_tokens: 1e300 } } },
      ],
      [3, { type: 'response.done', response: [] }],
      [4, { type: 'ConversationText', role: 'user', content: 7 }],
      [5, { type: 'user_transcript', user_transcription_event: { user_transcript: 'a\0\ud800b' } }],
      [6, { type: 'FunctionCallRequest', functions: [null, 7, { id: '' }] }],
      [7, JSON.parse('{"type":"error","__proto__":{"a":1},"error":["x"]}')],
      [8, { type: 'x'.repeat(5_000) }],
    ]
    expect(short(odd)).toEqual([
      ...['1 other constructor', '1 other __proto__', '1 other toString'],
      '2 usage 0/0/1000000000',
      '5 caller a\ufffdb',
      '7 error',
      `8 other ${'x'.repeat(100)}`,
    ])
  })

  it('lose what the account does not keep', () => {
    const events: Event[] = [
      [1, { type: 'ConversationText', role: 'user', content: 'It is 4711, to a@b.example' }],
      [
        2,
        {
          type: 'FunctionCallRequest',
          functions: [{ id: 'f', name: 'pay', arguments: '{"n":4711}' }],
        },
      ],
      [3, { type: 'FunctionCallResponse', id: 'f', content: 'paid 4711' }],
      [4, { server_content: { output_transcription: { text: 'write to jane' } } }],
      [5, { server_content: { output_transcription: { text: '@b.example' } } }],
      [6, { type: 'Error', description: 'no 4711' }],
      [7, { type: 'odd 4711' }],
      [
        8,
        {
          type: 'agent_response_correction',
          agent_response_correction_event: { corrected_agent_response: '4711' },
        },
      ],
    ]
    const as = (words: 'mask' | 'leave_out') =>
      short(events, (part) => partWithoutWords(part, words))
    expect(as('mask')).toEqual([
      '1 caller It is ••••, to •••',
      '2-3 tool pay({"n":••••})=paid ••••',
      '4-5 model •••• cut',
      ...['6 error no ••••', '7 other •', '8 interruption'],
    ])
    expect(as('leave_out')).toEqual([
      '1 caller',
      '2-3 tool pay(null)=null',
      ...['4-5 model cut', '6 error', '7 other •', '8 interruption'],
    ])
    expect(told(events, (part) => partWithoutWords(part, 'leave_out')).characters).toBe(23)
  })
})

describe('the cost of a model session', () => {
  const blank = { input: null, cached_input: null, output: null, minute: null, characters: null }
  const used = { tokens: { input: 3_000_000, cached: 1_000_000, output: 500_000 }, seconds: 90 }

  it.each<[string, object, number | null]>([
    ['tokens', { input: 4, cached_input: 0.4, output: 16 }, 8 + 0.4 + 8],
    ['tokens without a price for cached ones', { input: 4 }, 12],
    ['minutes', { minute: 0.1 }, 0.15],
    ['characters', { characters: 10 }, 0.01],
    ['a free one', { output: 0 }, 0],
    ['nothing that has a price', {}, null],
  ])('is that of %s', (_, price, cost) => {
    const whole = { model: '', ...blank, ...price }
    const is = costOf(whole, { ...used, characters: 1_000 })
    if (cost === null) expect(is).toBeNull()
    else expect(is).toBeCloseTo(cost, 9)
  })

  it('is unknown without what it is for', () => {
    const price = { model: '', ...blank, input: 1, characters: 1 }
    expect(costOf(price, { tokens: null, seconds: 60, characters: 0 })).toBeNull()
    expect(costOf(undefined, { ...used, characters: 1 })).toBeNull()
  })

  it('has the price that says most of the model', () => {
    const of = (...names: string[]) => names.map((model) => ({ model, ...blank }))
    const prices = of('', 'OpenAI', 'gpt-realtime', 'gpt-realtime-mini')
    const named = (vendor: string | null, model: string | null, all = prices) =>
      priceOf(all, { vendor, model })?.model
    expect(named('openai', 'GPT-realtime-mini-2026')).toBe('gpt-realtime-mini')
    expect(named('openai', 'gpt-realtime-2')).toBe('gpt-realtime')
    expect(named('openai', 'other')).toBe('OpenAI')
    expect(named('openai', null)).toBe('OpenAI')
    expect(named('google', null)).toBe('')
    expect(named(null, null, of('x'))).toBeUndefined()
  })
})
