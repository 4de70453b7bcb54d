import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { atLeast } from './access'
import { query } from './api'
import { providers, selectProvider, storedProvider } from './current-provider'
import { accounts } from './endpoints'

/** Whose a thing is: its account, or the provider. */
export type ThingOwner = {
  account_sid?: string | null
  service_provider_sid?: string | null
}

/** Switches an administrator who opened a link to another provider's thing to that provider. */
export function useFollowProvider({ account_sid, service_provider_sid: named }: ThingOwner) {
  const isAdmin = atLeast('admin')
  const known = useQuery({ ...providers(), enabled: isAdmin }).data?.data
  const isOneOfMany = (known?.length ?? 0) > 1
  const account = useQuery({
    ...query(accounts.view, { params: { account_sid: account_sid ?? '' } }),
    enabled: isOneOfMany && !named && !!account_sid,
  })
  const provider = named ?? account.data?.service_provider_sid
  const exists = known?.some((p) => p.service_provider_sid === provider)
  const navigate = useNavigate()
  useEffect(() => {
    if (!isAdmin || !provider || !exists || storedProvider() === provider) return
    selectProvider(provider)
    // the address names the provider
    void navigate({ to: '.', search: true, hash: true, replace: true })
  }, [isAdmin, provider, exists, navigate])
}
