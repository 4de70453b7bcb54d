import type { Example } from './example.ts'

// Every word of the caller is told, and translated, until one of them ends it.

export const transcription: Example = {
  hooks: {
    '/call': () => [
      { verb: 'say', text: 'Talk.' },
      {
        ...{ verb: 'transcribe', transcriptionHook: '/words', translationHook: '/translated' },
        recognizer: {
          vendor: 'google',
          language: 'en-US',
          interim: true,
          separateRecognitionPerChannel: true,
        },
      },
    ],
    '/words': ({ speech }) =>
      speech.alternatives[0].transcript === 'stop'
        ? [{ verb: 'say', text: 'Stopped.' }, { verb: 'hangup' }]
        : undefined,
    '/translated': () => undefined,
  },
  answers: [
    { kind: 'speech', text: 'one' },
    { kind: 'speech', text: 'stop' },
  ],
  said: ['Talk.', 'Stopped.'],
  heard: ['/words', '/words'],
}

/** A transcription beside everything else, while a menu asks and two people talk. */
export const sideTranscription: Example = {
  hooks: {
    '/call': () => [
      {
        ...{
          verb: 'config',
          notifyEvents: true,
          recognizer: { vendor: 'deepgram', language: 'en' },
        },
        transcribe: {
          enable: true,
          transcriptionHook: '/words',
          recognizer: { vendor: 'default' },
        },
        record: { action: 'startCallRecording', siprecServerURL: 'sip:recorder.example' },
        listen: { enable: true, url: 'wss://records.example', mixType: 'stereo' },
      },
      { verb: 'gather', input: ['speech'], actionHook: '/said', say: { text: 'Who?' } },
    ],
    '/said': () => [
      {
        ...{
          verb: 'dial',
          target: [{ type: 'phone', number: '+15551239999' }],
          actionHook: '/dialed',
        },
        transcribe: {
          transcriptionHook: '/words',
          recognizer: { vendor: 'google', language: 'en-US' },
        },
        listen: { url: 'wss://records.example' },
      },
    ],
    '/words': () => undefined,
    '/dialed': () => [
      {
        verb: 'config',
        transcribe: { enable: false },
        record: { action: 'stopCallRecording' },
        listen: { enable: false },
      },
      { verb: 'hangup' },
    ],
  },
  answers: [
    { kind: 'speech', text: 'sales' },
    { kind: 'answered', seconds: 60 },
  ],
  said: ['Who?'],
  heard: ['/words', '/said', '/dialed'],
}
