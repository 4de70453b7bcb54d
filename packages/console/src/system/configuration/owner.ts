import type { Owner } from '@switchroom/config/read'
import { useQuery } from '@tanstack/react-query'
import { ownAccount } from '../../lib/access'
import { query } from '../../lib/api'
import { accounts } from '../../lib/endpoints'
import { useCurrentProvider, useProvider } from '../../lib/use-provider'

/** Stands for an account that files are about to create. */
export const NEW = 'new'

export type ChosenOwner = {
  owner: Owner | undefined
  /** Files create an account, and name it. */
  isNew: boolean
  error: Error | null
  refetch: () => unknown
}

/** Whose configuration this is: an account's, or the current provider's with all of its accounts. */
export function useOwner(chosen: string): ChosenOwner {
  const sid = useCurrentProvider()
  const name = useProvider()?.name ?? ''
  const own = ownAccount()
  const account_sid = own ?? (chosen === NEW ? '' : chosen)
  const { data, error, refetch } = useQuery({
    ...query(accounts.view, { params: { account_sid } }),
    enabled: account_sid !== '',
  })
  const provider = { sid, name }
  const isNew = !own && chosen === NEW
  if (account_sid === '') return { owner: { provider }, isNew, error: null, refetch }
  const account = data && { sid: data.account_sid, name: data.name }
  const of = data && (data.service_provider_sid === sid ? provider : otherProvider(data))
  return { owner: account && of && { account, provider: of }, isNew, error, refetch }
}

const otherProvider = ({ service_provider_sid: sid }: { service_provider_sid: string }) => ({
  sid,
  name: '',
})

export const nameOf = ({ account, provider }: Owner) => account?.name ?? provider.name

/** Tells owners apart, so that no plan is shown of another. */
export const keyOf = ({ account, provider }: Owner) => `${provider.sid} ${account?.sid ?? ''}`
