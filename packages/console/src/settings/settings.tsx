import { getRouteApi } from '@tanstack/react-router'
import { atLeast } from '../lib/access'
import { queryClient } from '../lib/api'
import { ApiKeysTable } from '../lib/api-keys-table'
import { currentProvider, useCurrentProvider } from '../lib/current-provider'
import { useSetSearch } from '../lib/use-set-search'
import { PageHeader } from '../ui/page-header'
import { Tabs } from '../ui/tabs'
import { AdminSettings, informationOf, passwordsOf } from './admin'
import { ProviderSettings, providerOf } from './provider'

const route = getRouteApi('/internal/settings')
type Search = { tab?: string; page?: number; page_size?: number }

export async function load() {
  const provider = queryClient.ensureQueryData(providerOf(await currentProvider()))
  const admin = atLeast('admin')
    ? [queryClient.ensureQueryData(informationOf()), queryClient.ensureQueryData(passwordsOf())]
    : []
  await Promise.all([provider, ...admin])
}

export function Settings() {
  const { tab, ...search } = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const service_provider_sid = useCurrentProvider()
  const provider = (
    <>
      <ProviderSettings key={service_provider_sid} service_provider_sid={service_provider_sid} />
      <div className="form-more">
        <ApiKeysTable
          owner={{ service_provider_sid }}
          label="Service provider API keys"
          search={search}
        />
      </div>
    </>
  )
  return (
    <>
      <PageHeader title="Settings" />
      {atLeast('admin') ? (
        <Tabs
          label="Settings"
          value={tab ?? 'admin'}
          onChange={(next) => setSearch({ tab: next === 'admin' ? undefined : next })}
          tabs={[
            { id: 'admin', label: 'Admin', content: <AdminSettings /> },
            { id: 'provider', label: 'Service provider', content: provider },
          ]}
        />
      ) : (
        provider
      )}
    </>
  )
}
