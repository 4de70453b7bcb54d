import { allFields, type CatalogueWithSource, type Vendor } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../lib/api'
import { withOwnNames } from '../language-names'
import { useSpeechApi } from './speech-api'

/** The credential whose list is wanted; without one, what the vendor offers in general. */
export type CatalogueCredential =
  | { speech_credential_sid: string; label: string | null }
  | undefined

/** The vendor's catalogue for this credential. */
export function useCatalogue(vendor: string, of: CatalogueCredential, enabled: boolean) {
  const { catalogue, owner } = useSpeechApi()
  return useQuery({
    ...query(catalogue, {
      params: owner,
      query: of
        ? {
            vendor,
            label: of.label ?? undefined,
            speech_credential_sid: of.speech_credential_sid,
          }
        : { vendor, create_new: 'true' },
    }),
    enabled,
    select: withOwnNames,
    // load once per visit, not at every change of a field
    staleTime: 60_000,
  })
}

export const choosesModels = (v: Vendor) =>
  Object.values(allFields(v)).some((f) => f.kind === 'model')

export const modelsOf = (catalogue: CatalogueWithSource | undefined, use: 'tts' | 'stt') =>
  ((use === 'tts' ? catalogue?.models : catalogue?.sttModels) ?? [])
    .map(({ value, name }) => ({ value, label: name }))
    .sort((a, b) => a.label.localeCompare(b.label))
