import type { Example } from './example.ts'

// A queue with music and a position, which callers leave for a voicemail after a while.

export const queue: Example = {
  hooks: {
    '/call': () => [
      { verb: 'say', text: 'All agents are busy.' },
      { verb: 'enqueue', name: 'support', priority: 5, waitHook: '/wait', actionHook: '/left' },
    ],
    '/wait': ({ queue_position, queue_size, queue_time }) =>
      queue_time > 50
        ? [{ verb: 'say', text: 'We call you back.' }, { verb: 'leave' }]
        : [
            { verb: 'say', text: `You are ${queue_position + 1} of ${queue_size}.` },
            { verb: 'play', url: 'https://sounds.example/music.mp3' },
          ],
    '/left': ({ queue_result }) => [{ verb: 'say', text: queue_result }, { verb: 'hangup' }],
  },
  answers: [
    { kind: 'wait', seconds: 30 },
    { kind: 'wait', seconds: 30 },
  ],
  said: [
    'All agents are busy.',
    'You are 1 of 1.',
    'You are 1 of 1.',
    'We call you back.',
    'leave',
  ],
  heard: ['/wait', '/wait', '/wait', '/left'],
}
