import { z } from 'zod'
import { accountParams, FlagIn, Sid, serviceProviderParams } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { t } from '../wire/text.ts'

const Choice = z.object({ value: z.string(), name: z.string() })

/** The languages, voices and models of a vendor. Empty members are omitted. */
export const SpeechCatalogue = z.object({
  tts: z
    .array(Choice.extend({ voices: z.array(Choice.extend({ model: z.string().optional() })) }))
    .optional(),
  stt: z.array(Choice.extend({ version: z.string().optional() })).optional(),
  /** For text-to-speech. */
  models: z.array(Choice.extend({ languages: z.array(z.string()).optional() })).optional(),
  /** For speech-to-text. */
  sttModels: z.array(Choice).optional(),
})
export type SpeechCatalogue = z.infer<typeof SpeechCatalogue>

/** With its source: the vendor now, an earlier answer of the vendor, or a short built-in list. */
export const CatalogueWithSource = SpeechCatalogue.extend({
  source: z.enum(['live', 'cached', 'built-in']).optional(),
  /** Time at which the vendor returned it. */
  fetched_at: z.string().optional(),
  /** Why the vendor could not be reached. */
  reason: z.string().optional(),
})
export type CatalogueWithSource = z.infer<typeof CatalogueWithSource>

const catalogue = {
  access: 'account',
  method: 'GET',
  query: z.object({
    vendor: z.string().trim().min(1).max(64),
    label: z.string().max(64).optional(),
    /** When set, returns what the vendor offers to everyone, whatever credentials there are. */
    create_new: z.string().optional(),
    /** Switchroom only: use only this credential. */
    speech_credential_sid: Sid.optional(),
    /** Switchroom only: fetch from the vendor again, even if cached. */
    fresh: FlagIn.optional(),
  }),
  refusals: { vendor: t('vendor is required') },
  response: CatalogueWithSource,
} as const

export const speechCatalogues = endpoints({
  ofAccount: {
    ...catalogue,
    path: '/Accounts/:account_sid/SpeechCredentials/speech/supportedLanguagesAndVoices',
    params: accountParams,
    summary: 'List languages, voices and models of a speech vendor for an account',
  },
  ofServiceProvider: {
    ...catalogue,
    path: '/ServiceProviders/:service_provider_sid/SpeechCredentials/speech/supportedLanguagesAndVoices',
    params: serviceProviderParams,
    summary: 'List languages, voices and models of a speech vendor for a service provider',
  },
})
