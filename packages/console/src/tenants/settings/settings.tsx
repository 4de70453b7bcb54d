import { t } from '@switchroom/contract'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { atLeast } from '../../lib/access'
import { queryClient } from '../../lib/api'
import { isSwitchroom } from '../../lib/config'
import { currentProvider } from '../../lib/current-provider'
import type { ListSearch } from '../../lib/list-search'
import { PlainLink } from '../../lib/plain-link'
import { RoutePending } from '../../lib/route-states'
import { useCurrentProvider } from '../../lib/use-provider'
import { useSetSearch } from '../../lib/use-set-search'
import { PageHeader } from '../../ui/page-header'
import { Tabs } from '../../ui/tabs'
import { useOpened } from '../../ui/use-opened'
import { ApiKeysTable } from '../api-keys/list'
import { AdminSettings, passwordSettingsQuery, systemInformationQuery } from './admin'
import { DeleteProvider, ProviderSettings, providerOf } from './provider'
import { SecondFactorSetting } from './second-factor-policy'

const BrandSettings = lazy(async () => ({ default: (await import('./brand')).BrandSettings }))

const route = getRouteApi('/internal/settings')
type Search = { tab?: string; page?: number; page_size?: number }

/** Data of the open tab. The other tab loads its own when first opened. */
async function loadTab({ tab }: Search) {
  if (atLeast('admin') && !tab)
    await Promise.all([
      queryClient.ensureQueryData(systemInformationQuery()),
      queryClient.ensureQueryData(passwordSettingsQuery()),
    ])
  else if (tab !== 'brand') await queryClient.ensureQueryData(providerOf(await currentProvider()))
}

/** Waits before the screen is shown. A tab of it shows that it loads; the tabs, and what has the focus, stay. */
export async function load(search: Search, cause: 'enter' | 'preload' | 'stay') {
  const loading = loadTab(search)
  if (cause !== 'stay') return loading
  loading.catch(() => undefined)
}

export function Settings() {
  const { tab = atLeast('admin') ? 'admin' : 'provider', ...search } = route.useSearch()
  const setSearch = useSetSearch<Search>()
  const opened = useOpened(tab)
  const whenOpened = (id: string, content: ReactNode) =>
    opened.includes(id) && <Suspense fallback={<RoutePending />}>{content}</Suspense>

  const own = atLeast('admin') ? 'admin' : 'provider'
  const tabs = [
    ...(atLeast('admin')
      ? [{ id: 'admin', label: t('Admin'), content: <AdminSettings search={search} /> }]
      : []),
    { id: 'provider', label: t('Service provider'), content: <ProviderTab search={search} /> },
    ...(isSwitchroom() ? [{ id: 'brand', label: t('Brand'), content: <BrandTab /> }] : []),
  ]
  return (
    <>
      <PageHeader title={t('Settings')} />
      {tabs.length > 1 ? (
        <Tabs
          label={t('Settings')}
          value={tab}
          onChange={(next) => setSearch({ tab: next === own ? undefined : next })}
          tabs={tabs.map((t) => ({ ...t, content: whenOpened(t.id, t.content) }))}
        />
      ) : (
        tabs[0]?.content
      )}
    </>
  )
}

function BrandTab() {
  const service_provider_sid = useCurrentProvider()
  return <BrandSettings key={service_provider_sid} service_provider_sid={service_provider_sid} />
}

function ProviderTab({ search }: { search: ListSearch }) {
  const service_provider_sid = useCurrentProvider()
  return (
    <>
      <ProviderSettings key={service_provider_sid} service_provider_sid={service_provider_sid} />
      <div className="form-more">
        {isSwitchroom() && (
          <p>
            <PlainLink href="/internal/configuration">{t('Export configuration')}</PlainLink>
          </p>
        )}
        <SecondFactorSetting
          key={service_provider_sid}
          service_provider_sid={service_provider_sid}
        />
        <ApiKeysTable
          owner={{ service_provider_sid }}
          label={t('Service provider API keys')}
          search={search}
        />
        <DeleteProvider key={service_provider_sid} service_provider_sid={service_provider_sid} />
      </div>
    </>
  )
}
