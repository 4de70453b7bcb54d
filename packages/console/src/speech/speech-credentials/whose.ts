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

type Below = { service_provider_sid: string }

/**
 * The platform has the same calls below an account and below a provider. Whoever is pinned to an account
 * makes them there, everybody else below the provider; to their callers they are one.
 */
const whose = (service_provider_sid: string, account_sid: string | undefined) => ({
  credentials: (account_sid
    ? accountSpeechCredentials
    : providerSpeechCredentials) as typeof providerSpeechCredentials,
  trials: (account_sid ? accountSpeechTrials : providerSpeechTrials) as typeof providerSpeechTrials,
  catalogue: (account_sid
    ? speechCatalogues.ofAccount
    : speechCatalogues.ofServiceProvider) as typeof speechCatalogues.ofServiceProvider,
  below: (account_sid ? { account_sid } : { service_provider_sid }) as Below,
})
export type Whose = ReturnType<typeof whose>

export const currentWhose = async () => whose(await currentProvider(), ownAccount())
export const useWhose = () => whose(useCurrentProvider(), ownAccount())

/** The calls for a list, whichever account is chosen in it. */
export const whoseList = (service_provider_sid: string) => whose(service_provider_sid, ownAccount())

/** An account changes its own credentials; those that all accounts share are the provider's. */
export const mayChange = (row: Pick<SpeechCredential, 'account_sid'>) => mayWrite() && isOwn(row)

/** An account only sees that those of its provider are there. */
export const isOwn = ({ account_sid }: Pick<SpeechCredential, 'account_sid'>) =>
  ownAccount() === undefined || account_sid === ownAccount()
