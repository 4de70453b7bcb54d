import type { Example } from './example.ts'

// What speaks SIP to the other side.

export const refer: Example = {
  hooks: {
    '/call': () => [
      { verb: 'answer' },
      {
        verb: 'sip:refer',
        referTo: 'sip:desk@pbx.example',
        referredBy: '+15550000000',
        actionHook: '/referred',
        eventHook: '/progress',
        headers: { 'X-Why': 'busy' },
      },
      { verb: 'say', text: 'The transfer failed.' },
      { verb: 'hangup' },
    ],
    '/progress': () => undefined,
    '/referred': ({ refer_status, final_referred_call_status }) =>
      refer_status === 202 && final_referred_call_status === 200 ? [{ verb: 'hangup' }] : undefined,
  },
  answers: [{ kind: 'status', status: 202, final_status: 486 }],
  said: ['The transfer failed.'],
  heard: ['/progress', '/referred'],
}

export const info: Example = {
  hooks: {
    '/call': () => [
      { verb: 'answer' },
      {
        verb: 'sip:request',
        method: 'INFO',
        body: 'flash',
        headers: { 'Content-Type': 'text/plain' },
        actionHook: '/told',
      },
    ],
    '/told': ({ result, sip_status }) => [
      { verb: 'say', text: `${result} ${sip_status}` },
      { verb: 'hangup' },
    ],
  },
  answers: [{ kind: 'status', status: 200 }],
  said: ['success 200'],
  heard: ['/told'],
}

export const declined: Example = {
  hooks: {
    '/call': () => [
      { verb: 'sip:decline', status: 486, reason: 'Busy Here', headers: { 'X-Why': 'closed' } },
    ],
  },
  answers: [],
  said: [],
  heard: [],
}

export const early: Example = {
  hooks: {
    '/call': () => [
      { verb: 'alert', message: 'external-ring' },
      { verb: 'say', text: 'Free of charge.', earlyMedia: true },
      { verb: 'play', url: 'ring.wav', earlyMedia: true },
      { verb: 'answer' },
      { verb: 'dtmf', dtmf: '12#', duration: 250 },
      { verb: 'say', text: ['One.', 'Two.'], loop: 2 },
      { verb: 'hangup' },
    ],
  },
  answers: [],
  said: ['Free of charge.', 'One.', 'Two.'],
  heard: [],
}
