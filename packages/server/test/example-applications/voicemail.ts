import type { Example } from './example.ts'

// A voicemail: recorded by a stream that a key ends, and announced by a text message.

export const voicemail: Example = {
  hooks: {
    '/call': () => [
      { verb: 'answer' },
      { verb: 'pause', length: 0.2 },
      { verb: 'say', text: 'Leave a message, and press pound.' },
      {
        ...{ verb: 'listen', url: 'wss://records.example/audio', finishOnKey: '#', maxLength: 120 },
        ...{ mixType: 'mono', playBeep: true, metadata: { box: 7 }, actionHook: '/recorded' },
      },
    ],
    '/recorded': ({ digits, from }) => [
      {
        verb: 'message',
        to: '+15551230009',
        from: '+15551230002',
        text: `From ${from}`,
        actionHook: '/sent',
      },
      { verb: 'say', text: digits === '#' ? 'Thank you.' : 'Goodbye.' },
      { verb: 'hangup' },
    ],
    '/sent': ({ message_status }) =>
      message_status === 'success' ? undefined : [{ verb: 'hangup' }],
  },
  answers: [{ kind: 'digits', digits: '#' }],
  said: ['Leave a message, and press pound.', 'Thank you.'],
  heard: ['/recorded', '/sent'],
}
