import type { Example } from './example.ts'

// A conference that begins with its host, and is told of who comes and goes.

export const conferenceHost: Example = {
  hooks: {
    '/call': () => [
      { verb: 'say', text: 'Welcome.' },
      {
        ...{
          verb: 'conference',
          name: 'weekly',
          beep: true,
          joinMuted: false,
          maxParticipants: 20,
        },
        ...{ startConferenceOnEnter: false, endConferenceOnExit: true, memberTag: 'guest' },
        ...{ waitHook: '/wait', enterHook: '/enter', actionHook: '/after' },
        ...{ statusHook: '/events', statusEvents: ['start', 'end', 'join', 'leave'] },
      },
      { verb: 'say', text: 'Goodbye.' },
      { verb: 'hangup' },
    ],
    '/wait': () => [
      { verb: 'play', url: 'music.mp3' },
      { verb: 'pause', length: 1 },
    ],
    '/enter': () => [{ verb: 'say', text: 'You join now.' }],
    '/events': () => undefined,
    '/after': () => undefined,
  },
  answers: [
    { kind: 'wait', seconds: 10 },
    { kind: 'ended', seconds: 600 },
  ],
  said: ['Welcome.', 'You join now.', 'Goodbye.'],
  heard: ['/wait', '/events', '/events', '/enter', '/events', '/events', '/after'],
}
