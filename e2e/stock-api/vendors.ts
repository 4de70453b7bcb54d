/**
 * The fields stored per vendor: `!` is required, `*` is masked on read.
 * Other fields are dropped, unlike in all other resources.
 */
export const VENDORS: Record<string, string> = {
  google: 'service_key! model_id',
  aws: 'aws_region access_key_id secret_access_key* role_arn',
  microsoft:
    'region! api_key!* use_custom_tts custom_tts_endpoint custom_tts_endpoint_url use_custom_stt custom_stt_endpoint custom_stt_endpoint_url',
  wellsaid: 'api_key!*',
  nuance: 'client_id secret* nuance_tts_uri nuance_stt_uri',
  deepgram: 'api_key* deepgram_stt_uri deepgram_stt_use_tls deepgram_tts_uri model_id',
  deepgramflux: 'api_key!*',
  gladia: 'api_key* region',
  resemble: 'api_key!* resemble_tts_uri resemble_tts_use_tls',
  ibm: 'tts_api_key* tts_region stt_api_key* stt_region instance_id',
  nvidia: 'riva_server_uri!',
  soniox: 'api_key!*',
  cobalt: 'cobalt_server_uri!',
  elevenlabs: 'api_key!* model_id! api_uri options',
  speechmatics: 'api_key!* speechmatics_stt_uri! options',
  playht: 'api_key!* user_id! voice_engine! playht_tts_uri options',
  cartesia: 'api_key!* model_id stt_model_id options',
  rimelabs: 'api_key!* model_id! options',
  inworld: 'api_key!* model_id! options',
  assemblyai: 'api_key!* service_version',
  houndify: 'client_id! client_key!* user_id! houndify_server_uri',
  voxist: 'api_key!*',
  whisper: 'api_key!* model_id!',
  openai: 'api_key!* model_id!',
  verbio: 'client_id! client_secret!* engine_version!',
  custom: 'auth_token* custom_stt_url custom_tts_url custom_tts_streaming_url',
}

/** Kept from the stored credential whatever an update sends. */
export const PRESERVED = new Set(
  'api_key access_key_id secret_access_key role_arn client_id client_key client_secret secret user_id tts_api_key stt_api_key instance_id auth_token service_key'.split(
    ' ',
  ),
)

/** Tests that the server has for each vendor: text-to-speech, speech-to-text or both. Unlisted vendors: both. */
export const TESTABLE: Record<string, ('tts' | 'stt')[]> = {
  nvidia: [],
  cobalt: [],
  custom: [],
  ...Object.fromEntries(
    ['wellsaid', 'elevenlabs', 'playht', 'inworld', 'rimelabs', 'whisper', 'resemble'].map((v) => [
      v,
      ['tts' as const],
    ]),
  ),
}

const voices = (language: string, ...names: string[]) => ({
  value: language,
  name: `Language ${language}`,
  voices: names.map((name) => ({ value: name, name })),
})

/** A small catalogue. The real server's is larger and queries vendors. */
export const CATALOGUE = {
  tts: [
    voices('en-US', 'en-US-Standard-C', 'en-US-Wavenet-C', 'Joanna'),
    voices('de-DE', 'de-DE-Standard-A'),
  ],
  stt: [
    { value: 'en-US', name: 'English (United States)' },
    { value: 'de-DE', name: 'German (Germany)' },
  ],
  models: [{ value: 'eleven_turbo_v2_5', name: 'Turbo v2.5' }],
}
