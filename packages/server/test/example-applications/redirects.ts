import type { Example } from './example.ts'

// An application in parts, of which one hands the call to the other, tagged and dubbed.

export const redirects: Example = {
  hooks: {
    '/call': () => [
      { verb: 'tag', data: { Customer: { lastName: 'Doe' } } },
      { verb: 'dub', action: 'addTrack', track: 'music' },
      {
        verb: 'dub',
        action: 'playOnTrack',
        track: 'music',
        play: 'https://sounds.example/m.mp3',
        loop: true,
        gain: '-10 dB',
      },
      { verb: 'redirect', actionHook: '/other' },
    ],
    '/other': ({ customerData }) => [
      { verb: 'dub', action: 'sayOnTrack', track: 'music', say: 'A voice over.' },
      { verb: 'dub', action: 'removeTrack', track: 'music' },
      { verb: 'say', text: `Hello ${customerData.Customer.lastName}.` },
      { verb: 'play', url: ['a.wav', 'b.wav'], actionHook: '/played' },
      { verb: 'hangup' },
    ],
    '/played': ({ reason }) =>
      reason === 'playCompleted' ? undefined : [{ verb: 'say', text: reason }],
  },
  answers: [],
  said: ['A voice over.', 'Hello Doe.'],
  heard: ['/other', '/played'],
}
