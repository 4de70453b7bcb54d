/** The speech vendors of the platform by their ids, and whether they speak (`tts`) and listen (`stt`). */
export const SPEECH_VENDORS = [
  { id: 'assemblyai', name: 'AssemblyAI', tts: false, stt: true },
  { id: 'aws', name: 'AWS', tts: true, stt: true },
  { id: 'cartesia', name: 'Cartesia', tts: true, stt: true },
  { id: 'cobalt', name: 'Cobalt', tts: false, stt: true },
  { id: 'deepgram', name: 'Deepgram', tts: true, stt: true },
  { id: 'deepgramflux', name: 'Deepgram Flux', tts: false, stt: true },
  { id: 'elevenlabs', name: 'ElevenLabs', tts: true, stt: false },
  { id: 'gladia', name: 'Gladia', tts: false, stt: true },
  { id: 'google', name: 'Google', tts: true, stt: true },
  { id: 'ibm', name: 'IBM', tts: true, stt: true },
  { id: 'inworld', name: 'Inworld', tts: true, stt: false },
  { id: 'microsoft', name: 'Microsoft', tts: true, stt: true },
  { id: 'nuance', name: 'Nuance', tts: true, stt: true },
  { id: 'nvidia', name: 'Nvidia', tts: true, stt: true },
  { id: 'openai', name: 'OpenAI', tts: false, stt: true },
  { id: 'playht', name: 'PlayHT', tts: true, stt: false },
  { id: 'resemble', name: 'Resemble', tts: true, stt: false },
  { id: 'rimelabs', name: 'RimeLabs', tts: true, stt: false },
  { id: 'soniox', name: 'Soniox', tts: false, stt: true },
  { id: 'houndify', name: 'SoundHound', tts: false, stt: true },
  { id: 'speechmatics', name: 'Speechmatics', tts: false, stt: true },
  { id: 'verbio', name: 'Verbio', tts: true, stt: true },
  { id: 'voxist', name: 'Voxist', tts: false, stt: true },
  { id: 'wellsaid', name: 'WellSaid', tts: true, stt: false },
  { id: 'whisper', name: 'Whisper', tts: true, stt: false },
] as const

export type SpeechVendor = (typeof SPEECH_VENDORS)[number]['id']

/** A vendor that an account defines for itself is stored as `custom:<name>`. */
export const isCustomVendor = (vendor: string) => vendor.startsWith('custom:')
