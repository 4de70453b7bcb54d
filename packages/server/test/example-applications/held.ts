import type { Example } from './example.ts'

// A dialed party that presses keys, puts the caller on hold, and transfers them.

export const held: Example = {
  hooks: {
    '/call': () => [
      {
        ...{ verb: 'dial', target: [{ type: 'user', name: 'ann' }], actionHook: '/dialed' },
        ...{ dtmfCapture: { childCall: ['*1', '*2'], parentCall: ['#'] }, dtmfHook: '/keys' },
        ...{ onHoldHook: '/hold', referHook: '/refer', anchorMedia: true },
      },
    ],
    '/keys': () => undefined,
    '/hold': () => [
      { verb: 'say', text: 'Please hold.' },
      { verb: 'play', url: 'music.mp3' },
    ],
    '/refer': ({ refer_details }) => [
      { verb: 'say', text: `On to ${refer_details.refer_to_user}.` },
      {
        verb: 'dial',
        target: [{ type: 'phone', number: refer_details.refer_to_user }],
        actionHook: '/moved',
      },
    ],
    '/dialed': () => [{ verb: 'say', text: 'never' }],
    '/moved': () => [{ verb: 'hangup' }],
  },
  answers: [
    { kind: 'answered', digits: '*2', on_hold: true, transfer_to: '+15551110001', seconds: 60 },
    { kind: 'answered', seconds: 20, ended_by: 'called' },
  ],
  said: ['Please hold.', 'On to +15551110001.'],
  heard: ['/keys', '/hold', '/refer', '/dialed', '/moved'],
}
