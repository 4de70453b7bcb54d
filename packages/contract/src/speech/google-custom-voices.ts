import { z } from 'zod'
import { Flag, FlagIn, NoContent, resource, Sid } from '../wire/common.ts'
import { adds, endpoints, removes } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { t } from '../wire/text.ts'

export const REPORTED_USAGES = ['REPORTED_USAGE_UNSPECIFIED', 'REALTIME', 'OFFLINE'] as const

export const GoogleCustomVoice = z.object({
  google_custom_voice_sid: z.string(),
  speech_credential_sid: StringOrNull,
  name: z.string(),
  model: z.string(),
  reported_usage: z.enum(REPORTED_USAGES).nullable(),
  use_voice_cloning_key: Flag,
  /** The first 100 characters and `...`; absent if there is none. */
  voice_cloning_key: hidden(z.string()).optional(),
})
export type GoogleCustomVoice = z.infer<typeof GoogleCustomVoice>

const members = {
  name: z.string().trim().min(1).max(64),
  // empty if there is a cloning key instead
  model: z.string().trim().max(512),
  reported_usage: z.enum(REPORTED_USAGES),
  use_voice_cloning_key: FlagIn,
}

export const GoogleCustomVoiceCreate = z.object({
  speech_credential_sid: Sid,
  ...members,
  reported_usage: members.reported_usage.default('REALTIME'),
  use_voice_cloning_key: members.use_voice_cloning_key.default(0),
})
/** Omitted fields keep their stored values. */
export const GoogleCustomVoiceUpdate = z.object(members).partial()

export const VOICE_CLONING_KEY_MAX_BYTES = 400_000

const { one, all } = resource('/GoogleCustomVoices', { google_custom_voice_sid: Sid })

export const googleCustomVoices = endpoints({
  list: {
    ...all,
    method: 'GET',
    summary: 'List custom voices of a Google credential, or of the Google credentials with a label',
    query: z.object({
      speech_credential_sid: Sid.optional(),
      label: z.string().max(64).optional(),
      account_sid: Sid.optional(),
      service_provider_sid: Sid.optional(),
    }),
    response: z.array(GoogleCustomVoice),
  },
  view: { ...one, method: 'GET', summary: 'Get a custom voice', response: GoogleCustomVoice },
  create: {
    ...all,
    ...adds,
    summary: 'Add a custom voice to a Google credential',
    body: GoogleCustomVoiceCreate,
    refusals: {
      speech_credential_sid: t('missing speech_credential_sid'),
      name: t('missing field name'),
      model: t('missing field model'),
    },
  },
  update: {
    ...one,
    method: 'PUT',
    summary: 'Update a custom voice',
    body: GoogleCustomVoiceUpdate,
    status: 204,
    response: NoContent,
  },
  remove: { ...one, ...removes, summary: 'Delete a custom voice' },
  uploadKey: {
    path: '/GoogleCustomVoices/:google_custom_voice_sid/VoiceCloningKey',
    params: one.params,
    access: 'account',
    method: 'POST',
    summary: 'Upload the voice cloning key of a custom voice as a form file',
    takesFile: VOICE_CLONING_KEY_MAX_BYTES,
    body: z.instanceof(Uint8Array<ArrayBuffer>),
    status: 204,
    response: NoContent,
  },
})
