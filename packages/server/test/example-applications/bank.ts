import type { Example } from './example.ts'

// A bank: the branch is in the environment, a PIN ends with #, and a wrong one is asked for again.

const pin = (text: string) => [
  {
    ...{
      verb: 'gather',
      id: 'pin',
      input: ['digits'],
      finishOnKey: '#',
      numDigits: 6,
      minDigits: 4,
    },
    ...{ actionHook: '/pin', timeout: 8, say: { text } },
  },
  { verb: 'say', text: 'We did not hear you. Goodbye.' },
  { verb: 'hangup' },
]
const menu = {
  ...{ verb: 'gather', id: 'menu', input: ['digits', 'speech'], numDigits: 1, actionHook: '/menu' },
  say: { text: 'Press 1 for your balance, or say agent.' },
}

export const bank: Example = {
  env_vars: { BRANCH: 'Northern Bank', AGENT: '+15551239999' },
  hooks: {
    '/call': ({ env_vars }) => [
      { verb: 'config', synthesizer: { vendor: 'google', language: 'en-GB', voice: 'en-GB-A' } },
      { verb: 'tag', data: { branch: env_vars.BRANCH, agent: env_vars.AGENT } },
      ...pin(`Welcome to ${env_vars.BRANCH}. Enter your PIN.`),
    ],
    '/pin': ({ reason, digits }) =>
      reason !== 'dtmfDetected' ? undefined : digits === '4711' ? [menu] : pin('That is wrong.'),
    '/menu': ({ digits, customerData }) =>
      digits === '1'
        ? [{ verb: 'say', text: '<speak>Ten <break/> pounds.</speak>' }, menu]
        : [
            {
              ...{ verb: 'dial', callerId: '+15550000000', answerOnBridge: true, timeout: 20 },
              ...{ target: [{ type: 'phone', number: customerData.agent }], actionHook: '/agent' },
            },
          ],
    '/agent': ({ dial_call_status }) =>
      dial_call_status === 'completed'
        ? [{ verb: 'hangup', headers: { 'X-Reason': 'done' } }]
        : [{ verb: 'say', text: 'Nobody is there.' }, { verb: 'hangup' }],
  },
  answers: [
    { kind: 'digits', digits: '1234#' },
    { kind: 'digits', digits: '4711#' },
    { kind: 'digits', digits: '1' },
    { kind: 'speech', text: 'agent' },
    { kind: 'busy' },
  ],
  said: [
    'Welcome to Northern Bank. Enter your PIN.',
    'That is wrong.',
    'Press 1 for your balance, or say agent.',
    '<speak>Ten <break/> pounds.</speak>',
    'Press 1 for your balance, or say agent.',
    'Nobody is there.',
  ],
  heard: ['/pin', '/pin', '/menu', '/menu', '/agent'],
}
