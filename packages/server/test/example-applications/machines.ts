import type { Example } from './example.ts'

// A call that leaves a message where a machine answers.

const amd = {
  ...{ actionHook: '/amd', thresholdWordCount: 9, digitCount: 3 },
  timers: { noSpeechTimeoutMs: 5_000, decisionTimeoutMs: 15_000, toneTimeoutMs: 20_000 },
}
export const machine: Example = {
  hooks: {
    '/call': () => [
      {
        verb: 'dial',
        target: [{ type: 'phone', number: '+15551239999' }],
        amd,
        actionHook: '/dialed',
      },
    ],
    '/amd': ({ type }) =>
      type === 'amd_machine_detected'
        ? [{ verb: 'say', text: 'Nobody is at home.' }, { verb: 'hangup' }]
        : undefined,
    '/dialed': () => undefined,
  },
  answers: [{ kind: 'answered', by: 'machine', seconds: 300 }],
  said: ['Nobody is at home.'],
  heard: ['/amd', '/dialed'],
}

export const person: Example = {
  hooks: {
    '/call': () => [{ verb: 'config', amd }, { verb: 'say', text: 'Hello.' }, { verb: 'hangup' }],
    '/amd': ({ type }) => (type === 'amd_human_detected' ? undefined : [{ verb: 'hangup' }]),
  },
  answers: [],
  said: ['Hello.'],
  heard: ['/amd'],
}
