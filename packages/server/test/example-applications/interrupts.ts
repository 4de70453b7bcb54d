import type { Example } from './example.ts'

// A long text that the caller cuts with a word or a key.

export const interrupts: Example = {
  hooks: {
    '/call': () => [
      {
        verb: 'config',
        bargeIn: {
          enable: true,
          sticky: true,
          input: ['speech', 'digits'],
          numDigits: 1,
          actionHook: '/cut',
        },
        actionHookDelayAction: {
          ...{ enabled: true, noResponseTimeout: 3, noResponseGiveUpTimeout: 20, retries: 2 },
          ...{
            actions: [{ verb: 'say', text: 'One moment.' }],
            giveUpActions: [{ verb: 'hangup' }],
          },
        },
      },
      { verb: 'say', text: 'A very long text.' },
      { verb: 'say', text: 'Its second part.' },
      { verb: 'hangup' },
    ],
    '/cut': ({ reason, speech }) =>
      reason === 'speechDetected'
        ? [
            { verb: 'say', text: `Yes, ${speech.alternatives[0].transcript}.` },
            { verb: 'say', text: 'And?' },
          ]
        : [
            { verb: 'config', bargeIn: { enable: false } },
            { verb: 'say', text: 'Goodbye.' },
            { verb: 'hangup' },
          ],
  },
  answers: [
    { kind: 'nothing' },
    { kind: 'speech', text: 'stop' },
    { kind: 'nothing' },
    { kind: 'digits', digits: '1' },
  ],
  said: ['A very long text.', 'Its second part.', 'Yes, stop.', 'And?', 'Goodbye.'],
  heard: ['/cut', '/cut'],
}
