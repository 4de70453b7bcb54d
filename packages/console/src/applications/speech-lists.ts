import {
  accountSpeechCredentials,
  type GoogleCustomVoice,
  googleCustomVoices,
  type OfferedCatalogue,
  providerSpeechCredentials,
  type SpeechCredentialItem,
  speechCatalogues,
  vendorOf,
} from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query, queryClient } from '../lib/api'
import { useCurrentProvider } from '../lib/current-provider'
import { messageOf } from '../lib/failure'
import { useSettled } from '../lib/use-settled'
import type { SpeechOwner } from '../speech/speech-trials'
import { type Chosen, credentialFor, isListed } from './speech-choices'

const ALL = { page: 1, page_size: 1000 } as const
const NONE: never[] = []
// what a vendor offers changes with its releases; asking again is a button
const LONG = { staleTime: 10 * 60_000 }

/** Who speech is for, and the credentials to be had for it. */
export type SpeechOf = {
  account_sid: string
  /** Below whom credentials and catalogues are asked. */
  owner: SpeechOwner
  credentials: readonly SpeechCredentialItem[]
  /** Whether the credentials are all that there are: known, and not merely not yet here. */
  isLoaded: boolean
  /** Why they are not known. */
  problem: string | undefined
  /** Lists may be asked for: they are in sight, and what could be asked with is settled. */
  ready: boolean
}

/** @param seen whether the choices are in sight yet: most who open a form come for another part of it */
export function useSpeechOf(account_sid: string, seen: boolean): SpeechOf {
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

/** Where a catalogue is asked for. */
function useCatalogueQuery({ owner, credentials }: SpeechOf) {
  return (chosen: Chosen) => {
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

export type Offered = {
  catalogue: OfferedCatalogue
  /** Before the rest: the account's own. */
  own: readonly GoogleCustomVoice[]
  /** There are lists to choose from, or will be. */
  listed: boolean
  loading: boolean
  /** All of it is here. */
  isComplete: boolean
  problem: string | undefined
  refresh: () => void
  refreshing: boolean
}

/** What the chosen vendor offers with the chosen credential, asked once the choice has settled. */
export function useOffered(of: SpeechOf, chosen: Chosen): Offered {
  const { vendor, label, account_sid, use } = chosen
  const now = [vendor, label, account_sid].join('\n')
  const settled = useSettled(now, 200) === now
  const catalogueQuery = useCatalogueQuery(of)(chosen)
  const enabled = of.ready && settled && isListed(vendor)
  const result = useQuery({ ...catalogueQuery(), ...LONG, enabled })
  const credential = credentialFor(of.credentials, chosen)
  const makesVoices = vendorOf(vendor)?.customVoices === true
  const readsVoices = use === 'tts' && makesVoices && credential !== undefined
  const voices = useQuery({
    ...query(googleCustomVoices.list, {
      query: { speech_credential_sid: credential?.speech_credential_sid },
    }),
    ...LONG,
    enabled: enabled && readsVoices,
  })
  const again = useAgain(now, async () => {
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

/** Asks again, of what is chosen now. No mutation: nothing else on screen is stale for it. */
function useAgain(now: string, what: () => Promise<void>) {
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
