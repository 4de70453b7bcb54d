import type { Example } from './example.ts'

// An agent who takes callers out of a queue, until it is empty.

const next = {
  ...{ verb: 'dequeue', name: 'support', beep: true, timeout: 20, actionHook: '/next' },
}

export const queueAgent: Example = {
  hooks: {
    '/call': () => [{ verb: 'say', text: 'Hello, agent.' }, next],
    '/next': ({ dequeue_result }) =>
      dequeue_result === 'complete'
        ? [next]
        : [{ verb: 'say', text: 'No more callers.' }, { verb: 'hangup' }],
  },
  answers: [{ kind: 'bridged', seconds: 90 }, { kind: 'nothing' }],
  said: ['Hello, agent.', 'No more callers.'],
  heard: ['/next', '/next'],
}
