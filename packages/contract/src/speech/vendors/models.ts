/** What the platform demands of a verb for a speech-to-speech model, without which it refuses the verbs. */
export type SpeechModel = {
  /** As the platform calls it. */
  name: string
  /** The member of `auth` that must be there. */
  auth: 'apiKey' | 'agent_id'
  /** Members of `llmOptions` of which one must be an object; the first is the one it names. */
  options?: readonly string[]
  /** What it says needs a host in `connectOptions`. */
  host?: string
}

const OPENAI: SpeechModel = { name: 'OpenAI', auth: 'apiKey', options: ['response_create'] }
const VOICE_AGENT: SpeechModel = {
  name: 'VoiceAgent',
  auth: 'apiKey',
  options: ['Settings', 'settingsConfiguration'],
}

/** By the vendor of the verb. Apart from the vendors, whose data every list of credentials loads. */
export const SPEECH_MODELS: ReadonlyMap<string, SpeechModel> = new Map(
  Object.entries({
    openai: OPENAI,
    microsoft: { ...OPENAI, host: 'Microsoft OpenAI' },
    deepgram: VOICE_AGENT,
    voiceagent: VOICE_AGENT,
    ultravox: { name: 'Ultravox', auth: 'apiKey' },
    elevenlabs: { name: 'Elevenlabs', auth: 'agent_id' },
    google: { name: 'Google', auth: 'apiKey', options: ['setup'] },
  }),
)
