/** Members that the platform demands of a verb for a speech-to-speech model. It refuses the verbs without them. */
export type SpeechModel = {
  /** The member of `auth` that must be there. */
  auth: 'apiKey' | 'agent_id'
  /** Members of `llmOptions` of which one must be an object. */
  options?: readonly string[]
  /** True if `connectOptions` must name a host. */
  host?: true
}

const OPENAI: SpeechModel = { auth: 'apiKey', options: ['response_create'] }
const VOICE_AGENT: SpeechModel = {
  auth: 'apiKey',
  options: ['Settings', 'settingsConfiguration'],
}

/** By the vendor of the verb. Apart from the vendors, whose data every list of credentials loads. */
export const SPEECH_MODELS: ReadonlyMap<string, SpeechModel> = new Map(
  Object.entries({
    openai: OPENAI,
    microsoft: { ...OPENAI, host: true },
    deepgram: VOICE_AGENT,
    voiceagent: VOICE_AGENT,
    ultravox: { auth: 'apiKey' },
    elevenlabs: { auth: 'agent_id' },
    google: { auth: 'apiKey', options: ['setup'] },
  }),
)
