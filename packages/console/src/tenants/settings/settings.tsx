import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { atLeast } from '../../lib/access'
import { queryClient } from '../../lib/api'
import { currentProvider } from '../../lib/current-provider'
import type { ListSearch } from '../../lib/list-search'
import { RoutePending } from '../../lib/route-states'
import { useCurrentProvider } from '../../lib/use-provider'
import { useSetSearch } from '../../lib/use-set-search'
import { PageHeader } from '../../ui/page-header'
import { Tabs } from '../../ui/tabs'
import { ApiKeysTable } from '../api-keys/list'
import { AdminSettings, passwordSettingsQuery, systemInformationQuery } from './admin'
import { DeleteProvider, ProviderSettings, providerOf } from './provider'
import { SecondFactorSetting } from './second-factor-policy'

const route = getRouteApi('/internal/settings')
type Search = { tab?: string; page?: number; page_size?: number }

/** Data of the open tab. The other tab loads its own when first opened. */
async function loadTab({ tab }: Search) {
  if (atLeast('admin') && !tab)
    await Promise.all([
      queryClient.ensureQueryData(systemInformationQuery()),
      queryClient.ensureQueryData(passwordSettingsQuery()),
    ])
  else await queryClient.ensureQueryData(providerOf(await currentProvider()))
}

/** Waits before the screen is shown. A tab of it shows that it loads; the tabs, and what has the focus, stay. */
export async function load(search: Search, cause: 'enter' | 'preload' | 'stay') {
  const loading = loadTab(search)
  if (cause !== 'stay') return loading
  loading.catch(() => undefined)
}

export function Settings() {
  const { tab = 'admin', ...search } = route.useSearch()
  const setSearch = useSetSearch<Search>()
  // an opened tab stays mounted, with what was typed in it
  const [opened, setOpened] = useState([tab])
  if (!opened.includes(tab)) setOpened([...opened, tab])
  const whenOpened = (id: string, content: ReactNode) =>
    opened.includes(id) && <Suspense fallback={<RoutePending />}>{content}</Suspense>

  const provider = <ProviderTab search={search} />
  return (
    <>
      <PageHeader title="Settings" />
      {atLeast('admin') ? (
        <Tabs
          label="Settings"
          value={tab}
          onChange={(next) => setSearch({ tab: next === 'admin' ? undefined : next })}
          tabs={[
            {
              id: 'admin',
              label: 'Admin',
              content: whenOpened('admin', <AdminSettings search={search} />),
            },
            {
              id: 'provider',
              label: 'Service provider',
              content: whenOpened('provider', provider),
            },
          ]}
        />
      ) : (
        provider
      )}
    </>
  )
}

function ProviderTab({ search }: { search: ListSearch }) {
  const service_provider_sid = useCurrentProvider()
  return (
    <>
      <ProviderSettings key={service_provider_sid} service_provider_sid={service_provider_sid} />
      <div className="form-more">
        <SecondFactorSetting
          key={service_provider_sid}
          service_provider_sid={service_provider_sid}
        />
        <ApiKeysTable
          owner={{ service_provider_sid }}
          label="Service provider API keys"
          search={search}
        />
        <DeleteProvider key={service_provider_sid} service_provider_sid={service_provider_sid} />
      </div>
    </>
  )
}
