import type { SpeechCredential } from '@switchroom/contract'
import { mayWrite, ownAccount } from '../../lib/access'
import { currentProvider } from '../../lib/current-provider'
import {
  accountSpeechCredentials,
  accountSpeechTrials,
  providerSpeechCredentials,
  providerSpeechTrials,
  speechCatalogues,
} from '../../lib/endpoints'
import { useCurrentProvider } from '../../lib/use-provider'

/**
 * The platform has the same endpoints below an account and below a provider. Users of an account use the
 * former, all others the latter; screens need not know which.
 */
const ofProvider = (service_provider_sid: string) => ({
  credentials: providerSpeechCredentials,
  trials: providerSpeechTrials,
  catalogue: speechCatalogues.ofServiceProvider,
  owner: { service_provider_sid },
})
export type SpeechApi = ReturnType<typeof ofProvider>

const ofAccount = (account_sid: string) => ({
  credentials: accountSpeechCredentials,
  trials: accountSpeechTrials,
  catalogue: speechCatalogues.ofAccount,
  owner: { account_sid },
})

const api = (service_provider_sid: string, account_sid: string | undefined) =>
  account_sid
    ? // the same endpoints but for the name of one path parameter, which `owner` holds
      (ofAccount(account_sid) as unknown as SpeechApi)
    : ofProvider(service_provider_sid)

export const currentSpeechApi = async () => api(await currentProvider(), ownAccount())
export const useSpeechApi = () => api(useCurrentProvider(), ownAccount())

/** For the list, whichever account it is filtered by. */
export const listApi = (service_provider_sid: string) => api(service_provider_sid, ownAccount())

/** An account changes its own credentials; those that all accounts share are the provider's. */
export const mayChange = (row: Pick<SpeechCredential, 'account_sid'>) => mayWrite() && isOwn(row)

/** An account only sees that those of its provider are there. */
export const isOwn = ({ account_sid }: Pick<SpeechCredential, 'account_sid'>) =>
  ownAccount() === undefined || account_sid === ownAccount()
