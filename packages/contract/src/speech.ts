import { z } from 'zod'
import { accountParams, serviceProviderParams } from './common.ts'
import { endpoints } from './endpoint.ts'

const Choice = z.object({ value: z.string(), name: z.string() })

/** What a vendor offers. A member that it has nothing for is left out. */
export const SpeechCatalogue = z.object({
  tts: z.array(Choice.extend({ voices: z.array(Choice) })).optional(),
  stt: z.array(Choice).optional(),
  models: z.array(Choice).optional(),
  sttModels: z.array(Choice).optional(),
})
export type SpeechCatalogue = z.infer<typeof SpeechCatalogue>

const catalogue = {
  access: 'account',
  method: 'GET',
  query: z.object({
    vendor: z.string('vendor is required').trim().min(1, 'vendor is required').max(64),
    label: z.string().max(64).optional(),
    /** Set: what the vendor offers to everybody, whatever credentials there are. */
    create_new: z.string().optional(),
  }),
  response: SpeechCatalogue,
} as const

export const speech = endpoints({
  ofAccount: {
    ...catalogue,
    path: '/Accounts/:account_sid/SpeechCredentials/speech/supportedLanguagesAndVoices',
    params: accountParams,
    summary: 'Languages, voices and models of a speech vendor, for an account',
  },
  ofServiceProvider: {
    ...catalogue,
    path: '/ServiceProviders/:service_provider_sid/SpeechCredentials/speech/supportedLanguagesAndVoices',
    params: serviceProviderParams,
    summary: 'Languages, voices and models of a speech vendor, for a service provider',
  },
})
