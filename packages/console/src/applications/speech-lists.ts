import {
  type CatalogueWithSource,
  type GoogleCustomVoice,
  type SpeechCredentialItem,
  vendorOf,
} from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query, queryClient } from '../lib/api'
import {
  accountSpeechCredentials,
  googleCustomVoices,
  providerSpeechCredentials,
  speechCatalogues,
} from '../lib/endpoints'
import { messageOf } from '../lib/failure'
import { useDebounced } from '../lib/use-debounced'
import { useCurrentProvider } from '../lib/use-provider'
import { withOwnNames } from '../speech/language-names'
import type { SpeechOwner } from '../speech/speech-trials'
import { credentialFor, isListed, type SpeechChoice } from './speech-choices'

const ALL = { page: 1, page_size: 1000 } as const
const NONE: never[] = []
// what a vendor offers changes with its releases; there is a button to reload it
const RARELY_STALE = { staleTime: 10 * 60_000 }

/** The account whose speech is configured, and the credentials it may use. */
export type SpeechSources = {
  account_sid: string
  /** The owner in the path of credentials and catalogues. */
  owner: SpeechOwner
  credentials: readonly SpeechCredentialItem[]
  /** True once the credentials have loaded, so that an empty list means there are none. */
  isLoaded: boolean
  /** Why they could not be loaded. */
  problem: string | undefined
  /** Catalogues may be loaded: the fields are on screen and the credentials are known. */
  ready: boolean
}

/** @param seen whether the fields are on screen; most people open the form for another part of it */
export function useSpeechSources(account_sid: string, seen: boolean): SpeechSources {
  const service_provider_sid = useCurrentProvider()
  const owner = account_sid ? { account_sid } : { service_provider_sid }
  const request = account_sid
    ? query(accountSpeechCredentials.list, { params: { account_sid }, query: ALL })
    : query(providerSpeechCredentials.list, { params: { service_provider_sid }, query: ALL })
  const result = useQuery({ ...request, enabled: seen })
  return {
    account_sid,
    owner,
    credentials: result.data?.data ?? NONE,
    isLoaded: result.data !== undefined,
    problem: result.error ? messageOf(result.error) : undefined,
    ready: seen && !result.isLoading,
  }
}

/** The query for the catalogue of a vendor and credential. */
function useCatalogueQuery({ owner, credentials }: SpeechSources) {
  return (chosen: SpeechChoice) => {
    const { vendor, label } = chosen
    const params = owner
    const request = {
      vendor,
      label: label || undefined,
      speech_credential_sid: credentialFor(credentials, chosen)?.speech_credential_sid,
    }
    return (more: { fresh?: true } = {}) =>
      'account_sid' in params
        ? query(speechCatalogues.ofAccount, { params, query: { ...request, ...more } })
        : query(speechCatalogues.ofServiceProvider, { params, query: { ...request, ...more } })
  }
}

export type OfferedLists = {
  catalogue: CatalogueWithSource
  /** Custom voices, shown before the catalogue's. */
  own: readonly GoogleCustomVoice[]
  /** True if there are lists to choose from, or will be once loaded. */
  listed: boolean
  loading: boolean
  /** True once everything has loaded. */
  isComplete: boolean
  problem: string | undefined
  refresh: () => void
  refreshing: boolean
}

/** Lists of the chosen vendor for the chosen credential, loaded once the choice has settled. */
export function useOfferedLists(of: SpeechSources, chosen: SpeechChoice): OfferedLists {
  const { vendor, label, account_sid, use } = chosen
  const now = [vendor, label, account_sid].join('\n')
  const settled = useDebounced(now, 200) === now
  const catalogueQuery = useCatalogueQuery(of)(chosen)
  const enabled = of.ready && settled && isListed(vendor)
  const result = useQuery({
    ...catalogueQuery(),
    ...RARELY_STALE,
    enabled,
    select: withOwnNames,
  })
  const credential = credentialFor(of.credentials, chosen)
  const makesVoices = vendorOf(vendor)?.customVoices === true
  const readsVoices = use === 'tts' && makesVoices && credential !== undefined
  const voices = useQuery({
    ...query(googleCustomVoices.list, {
      query: { speech_credential_sid: credential?.speech_credential_sid },
    }),
    ...RARELY_STALE,
    enabled: enabled && readsVoices,
  })
  const again = useReload(now, async () => {
    const fresh = await queryClient.fetchQuery({ ...catalogueQuery({ fresh: true }), gcTime: 0 })
    queryClient.setQueryData(catalogueQuery().queryKey, fresh)
  })
  const problem = again.error ?? result.error ?? voices.error
  return {
    catalogue: result.data ?? {},
    own: voices.data ?? NONE,
    listed: isListed(vendor) && !result.isError,
    loading: isListed(vendor) && (!settled || result.isLoading),
    isComplete: settled && result.data !== undefined && (!readsVoices || !voices.isLoading),
    problem: problem ? messageOf(problem) : undefined,
    refresh: again.start,
    refreshing: again.busy,
  }
}

/** Reloads the catalogue of the current choice. Not a mutation, which would invalidate every query. */
function useReload(now: string, what: () => Promise<void>) {
  const [state, setState] = useState<{ of: string; busy: boolean; error?: unknown }>()
  const mine = state?.of === now ? state : undefined
  return {
    busy: mine?.busy ?? false,
    error: mine?.error,
    start: () => {
      setState({ of: now, busy: true })
      const done = (error?: unknown) =>
        setState((s) => (s?.of === now ? { of: now, busy: false, error } : s))
      void what().then(() => done(), done)
    },
  }
}
