/** Demands of the platform on a verb for a speech-to-speech model, which it refuses otherwise, and on its functions. */
export type SpeechModel = {
  /** The member of `auth` that must be there. */
  auth: 'apiKey' | 'agent_id'
  /** Members of `llmOptions` of which one must be an object. */
  options?: readonly string[]
  /** True if `connectOptions` must name a host. */
  host?: true
  /** The type of the output of a function, where it takes no other. */
  output?: string
  /** True if it calls functions in a list, all by one id. */
  callsInList?: true
}

const OPENAI: SpeechModel = {
  auth: 'apiKey',
  options: ['response_create'],
  output: 'conversation.item.create',
}
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
    elevenlabs: { auth: 'agent_id', output: 'client_tool_result' },
    google: { auth: 'apiKey', options: ['setup'], callsInList: true },
  }),
)
