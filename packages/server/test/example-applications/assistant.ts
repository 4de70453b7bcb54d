import type { Example } from './example.ts'

// A speech bot that asks again when it does not understand, and lets callers interrupt it.

const listen = (text: string) => [
  {
    ...{ verb: 'gather', id: 'turn', input: ['speech'], timeout: 6, actionHook: '/turn' },
    ...{ bargein: true, minBargeinWordCount: 2, listenDuringPrompt: true },
    partialResultHook: '/partial',
    recognizer: {
      ...{ vendor: 'google', language: 'en-US', hints: ['table'], minConfidence: 0.5 },
      ...{ asrTimeout: 1.2, interim: true, altLanguages: ['de-DE'] },
    },
    say: { text },
  },
]

export const assistant: Example = {
  hooks: {
    '/call': () => listen('How can I help?'),
    '/partial': () => undefined,
    '/turn': ({ reason, speech, verb_id }) => {
      if (reason === 'timeout') return listen('Are you there?')
      if (reason === 'stt-low-confidence') return listen('Pardon?')
      if (reason === 'error') return [{ verb: 'say', text: 'I cannot hear.' }, { verb: 'hangup' }]
      const [{ transcript }] = speech.alternatives
      if (transcript === 'bye')
        return [{ verb: 'say', text: `Bye, ${verb_id}.` }, { verb: 'hangup' }]
      return listen(`You said ${transcript}.`)
    },
  },
  answers: [
    { kind: 'nothing' },
    { kind: 'low_confidence', text: 'mumble' },
    { kind: 'speech', text: 'a table' },
    { kind: 'speech', text: 'bye', confidence: 0.99 },
  ],
  said: ['How can I help?', 'Are you there?', 'Pardon?', 'You said a table.', 'Bye, turn.'],
  heard: ['/turn', '/partial', '/turn', '/partial', '/turn', '/partial', '/turn'],
}
