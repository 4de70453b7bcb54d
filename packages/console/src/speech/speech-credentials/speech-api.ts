import {
  accountSpeechCredentials,
  accountSpeechTrials,
  providerSpeechCredentials,
  providerSpeechTrials,
  type SpeechCredential,
  speechCatalogues,
} from '@switchroom/contract'
import { mayWrite, ownAccount } from '../../lib/access'
import { currentProvider, useCurrentProvider } from '../../lib/current-provider'

/**
 * The platform has the same calls below an account and below a provider. Whoever is pinned to an account
 * makes them there, everybody else below the provider; to their callers they are one.
 */
const ofProvider = (service_provider_sid: string) => ({
  credentials: providerSpeechCredentials,
  trials: providerSpeechTrials,
  catalogue: speechCatalogues.ofServiceProvider,
  below: { service_provider_sid },
})
export type Whose = ReturnType<typeof ofProvider>

const ofAccount = (account_sid: string) => ({
  credentials: accountSpeechCredentials,
  trials: accountSpeechTrials,
  catalogue: speechCatalogues.ofAccount,
  below: { account_sid },
})

const whose = (service_provider_sid: string, account_sid: string | undefined) =>
  account_sid
    ? // the same calls but for the name of the one parameter, which `below` brings along
      (ofAccount(account_sid) as unknown as Whose)
    : ofProvider(service_provider_sid)

export const currentWhose = async () => whose(await currentProvider(), ownAccount())
export const useWhose = () => whose(useCurrentProvider(), ownAccount())

/** The calls for a list, whichever account is chosen in it. */
export const whoseList = (service_provider_sid: string) => whose(service_provider_sid, ownAccount())

/** An account changes its own credentials; those that all accounts share are the provider's. */
export const mayChange = (row: Pick<SpeechCredential, 'account_sid'>) => mayWrite() && isOwn(row)

/** An account only sees that those of its provider are there. */
export const isOwn = ({ account_sid }: Pick<SpeechCredential, 'account_sid'>) =>
  ownAccount() === undefined || account_sid === ownAccount()
