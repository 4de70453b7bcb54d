type Members = Record<string, unknown>
type Case = {
  vendor: string
  mode?: string
  /** The settings a client sends, besides vendor and uses. */
  sent: Members
  /** The settings as platform components read them, if different. */
  stored?: Members
  /** Fields of `sent` that must not be readable. */
  secrets?: string[]
}

const key = (vendor: string, mode = 'key') => `canary-${vendor}-${mode}-0123456789`
const withKey = (vendor: string, more: Members = {}): Case => ({
  vendor,
  sent: { api_key: key(vendor), ...more },
  secrets: ['api_key'],
})
const extra = '{"speed":1}'
const file = {
  type: 'service_account',
  project_id: 'p',
  private_key_id: 'k',
  private_key: `-----BEGIN PRIVATE KEY-----\n${key('google')}\n-----END PRIVATE KEY-----\n`,
  client_email: 'a@p.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
}

/** A complete credential of every vendor in every mode: as sent, and as stored for platform components. */
export const EXAMPLES: Case[] = [
  withKey('assemblyai', { service_version: 'v3' }),
  {
    vendor: 'aws',
    mode: 'access_key',
    sent: {
      aws_region: 'eu-west-1',
      access_key_id: 'AKIA0',
      secret_access_key: key('aws'),
    },
    secrets: ['secret_access_key'],
  },
  {
    vendor: 'aws',
    mode: 'assume_role',
    sent: { aws_region: 'us-east-1', role_arn: 'arn:aws:iam::123456789012:role/x' },
  },
  { vendor: 'aws', mode: 'instance_profile', sent: { aws_region: 'sa-east-1' } },
  withKey('cartesia', { model_id: 'sonic', stt_model_id: 'ink-whisper', options: extra }),
  { vendor: 'cobalt', sent: { cobalt_server_uri: 'cobalt:2727' } },
  {
    vendor: 'custom:acme',
    sent: {
      auth_token: key('custom'),
      custom_stt_url: 'wss://acme.example/stt',
      custom_tts_url: 'https://acme.example/tts',
      custom_tts_streaming_url: 'wss://acme.example/tts',
    },
    secrets: ['auth_token'],
  },
  {
    ...withKey('deepgram', { deepgram_stt_uri: 'api.eu.deepgram.com', model_id: 'nova-3' }),
    mode: 'hosted',
    stored: {
      api_key: key('deepgram'),
      deepgram_stt_uri: 'api.eu.deepgram.com',
      deepgram_stt_use_tls: 1,
      model_id: 'nova-3',
    },
  },
  {
    vendor: 'deepgram',
    mode: 'onprem',
    sent: {
      api_key: key('deepgram', 'onprem'),
      deepgram_stt_uri: '10.0.0.1:8080',
      deepgram_stt_use_tls: true,
      deepgram_tts_uri: 'http://10.0.0.1:8081',
      model_id: 'nova-2',
    },
    stored: {
      api_key: key('deepgram', 'onprem'),
      deepgram_stt_uri: '10.0.0.1:8080',
      deepgram_stt_use_tls: 1,
      deepgram_tts_uri: 'http://10.0.0.1:8081',
      model_id: 'nova-2',
    },
    secrets: ['api_key'],
  },
  withKey('deepgramflux'),
  withKey('elevenlabs', {
    model_id: 'eleven_turbo_v2',
    api_uri: 'api.eu.residency.elevenlabs.io',
    options: extra,
  }),
  withKey('gladia', { region: 'us-west' }),
  {
    vendor: 'google',
    sent: { service_key: JSON.stringify(file), model_id: 'gemini-2.5-flash-tts' },
    stored: { ...file, model_id: 'gemini-2.5-flash-tts' },
    secrets: ['service_key'],
  },
  {
    vendor: 'houndify',
    sent: {
      client_id: 'id',
      client_key: key('houndify'),
      user_id: 'u',
      houndify_server_uri: 'wss://houndify.example',
    },
    secrets: ['client_key'],
  },
  {
    vendor: 'ibm',
    sent: {
      tts_api_key: key('ibm', 'tts'),
      tts_region: 'us-south',
      stt_api_key: key('ibm', 'stt'),
      stt_region: 'eu-de',
      instance_id: 'i-1',
    },
    secrets: ['tts_api_key', 'stt_api_key'],
  },
  withKey('inworld', { model_id: 'inworld-tts-1', options: extra }),
  {
    ...withKey('microsoft', {
      region: 'westeurope',
      use_custom_tts: 1,
      custom_tts_endpoint: 'voice-1',
      use_custom_stt: 1,
      custom_stt_endpoint: 'speech-1',
    }),
    mode: 'hosted',
  },
  {
    vendor: 'microsoft',
    mode: 'onprem',
    sent: {
      api_key: key('microsoft', 'onprem'),
      custom_tts_endpoint_url: 'http://10.0.0.2:5000',
      custom_stt_endpoint_url: 'http://10.0.0.2:5001',
    },
    stored: {
      api_key: key('microsoft', 'onprem'),
      use_custom_tts: 1,
      custom_tts_endpoint_url: 'http://10.0.0.2:5000',
      use_custom_stt: 1,
      custom_stt_endpoint_url: 'http://10.0.0.2:5001',
    },
    secrets: ['api_key'],
  },
  {
    vendor: 'nuance',
    sent: {
      client_id: 'id',
      secret: key('nuance'),
      nuance_tts_uri: '10.0.0.3:5000',
      nuance_stt_uri: '10.0.0.3:5001',
    },
    secrets: ['secret'],
  },
  { vendor: 'nvidia', sent: { riva_server_uri: 'riva:50051' } },
  withKey('openai', { model_id: 'whisper-1' }),
  {
    ...withKey('playht', { user_id: 'u', voice_engine: 'Play3.0', options: extra }),
    mode: 'hosted',
  },
  {
    vendor: 'playht',
    mode: 'onprem',
    sent: {
      api_key: key('playht', 'onprem'),
      user_id: 'u',
      voice_engine: 'Play3.0',
      playht_tts_uri: 'http://10.0.0.4',
      options: extra,
    },
    secrets: ['api_key'],
  },
  { ...withKey('resemble'), mode: 'hosted' },
  {
    vendor: 'resemble',
    mode: 'onprem',
    sent: {
      api_key: key('resemble', 'onprem'),
      resemble_tts_uri: 'http://10.0.0.5',
      resemble_tts_use_tls: 1,
    },
    secrets: ['api_key'],
  },
  withKey('rimelabs', { model_id: 'arcana', options: extra }),
  withKey('soniox'),
  {
    ...withKey('speechmatics', { speechmatics_stt_uri: 'neu.rt.speechmatics.com', options: extra }),
    mode: 'hosted',
  },
  {
    vendor: 'speechmatics',
    mode: 'onprem',
    sent: {
      api_key: key('speechmatics', 'onprem'),
      speechmatics_stt_uri: 'wss://10.0.0.6/v2',
      options: extra,
    },
    secrets: ['api_key'],
  },
  {
    vendor: 'verbio',
    sent: { client_id: 'id', client_secret: key('verbio'), engine_version: 'V2' },
    secrets: ['client_secret'],
  },
  withKey('voxist'),
  withKey('wellsaid'),
  withKey('whisper', { model_id: 'tts-1' }),
]
