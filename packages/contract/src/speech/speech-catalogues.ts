import { z } from 'zod'
import { accountParams, FlagIn, Sid, serviceProviderParams } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'

const Choice = z.object({ value: z.string(), name: z.string() })

/** What a vendor offers. A member that it has nothing for is left out. */
export const SpeechCatalogue = z.object({
  tts: z
    .array(Choice.extend({ voices: z.array(Choice.extend({ model: z.string().optional() })) }))
    .optional(),
  stt: z.array(Choice.extend({ version: z.string().optional() })).optional(),
  /** For speaking. */
  models: z.array(Choice.extend({ languages: z.array(z.string()).optional() })).optional(),
  /** For listening. */
  sttModels: z.array(Choice).optional(),
})
export type SpeechCatalogue = z.infer<typeof SpeechCatalogue>

/** Ours adds where it is from: asked for now, remembered from an earlier answer, or a short list of our own. */
export const OfferedCatalogue = SpeechCatalogue.extend({
  source: z.enum(['live', 'cached', 'built-in']).optional(),
  /** When the vendor said so. */
  fetched_at: z.string().optional(),
  /** Why the vendor could not be asked. */
  reason: z.string().optional(),
})
export type OfferedCatalogue = z.infer<typeof OfferedCatalogue>

const catalogue = {
  access: 'account',
  method: 'GET',
  query: z.object({
    vendor: z.string().trim().min(1).max(64),
    label: z.string().max(64).optional(),
    /** Set: what the vendor offers to everybody, whatever credentials there are. */
    create_new: z.string().optional(),
    /** Ours: with just this credential. */
    speech_credential_sid: Sid.optional(),
    /** Ours: ask the vendor again, whatever is remembered. */
    fresh: FlagIn.optional(),
  }),
  refusals: { vendor: 'vendor is required' },
  response: OfferedCatalogue,
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
