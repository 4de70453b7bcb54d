import type { Example } from './example.ts'

// Several telephones ring at once, and whoever answers has to accept the call with a key.

export const screening: Example = {
  hooks: {
    '/call': () => [
      {
        ...{ verb: 'dial', actionHook: '/dialed', confirmHook: { url: '/screen', method: 'POST' } },
        ...{ timeout: 25, timeLimit: 3_000, dialMusic: 'https://sounds.example/ring.mp3' },
        target: [
          { type: 'phone', number: '+15551110001' },
          { type: 'user', name: 'ann@acme.sip.example' },
          { type: 'sip', sipUri: 'sip:bob@pbx.example', auth: { username: 'b', password: 'x' } },
        ],
        headers: { 'X-Team': 'sales' },
      },
    ],
    '/screen': ({ from, to }) => [
      { verb: 'say', text: `A call from ${from} for ${to}.` },
      {
        ...{ verb: 'gather', input: ['digits'], numDigits: 1, timeout: 5, actionHook: '/accept' },
        say: { text: 'Press 1 to accept.' },
      },
      { verb: 'hangup' },
    ],
    '/accept': ({ digits }) =>
      digits === '1' ? [{ verb: 'say', text: 'Connecting.' }] : undefined,
    '/dialed': ({ dial_call_status, dial_sip_status }) => [
      { verb: 'say', text: `${dial_call_status} ${dial_sip_status}` },
      { verb: 'hangup' },
    ],
  },
  answers: [
    { kind: 'answered', target: 1, seconds: 65, after_ms: 4_000 },
    { kind: 'digits', digits: '1' },
  ],
  said: [
    'A call from 15551230001 for ann@acme.sip.example.',
    ...['Press 1 to accept.', 'Connecting.', 'completed 200'],
  ],
  heard: ['/screen', '/accept', '/dialed'],
}
