import { t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { atLeast, mayWrite } from '../lib/access'
import { namesProvider, withProvider } from '../lib/address'
import { linkedProvider, providers, selectProvider } from '../lib/current-provider'
import { homeHref } from '../lib/session'
import { useCurrentProvider } from '../lib/use-provider'
import { IconButton } from '../ui/button'
import { ComboboxButton } from '../ui/combobox-button'

const AddProvider = lazy(async () => ({ default: (await import('./add-provider')).AddProvider }))

/** The current service provider. Only admins can change it; others just see its name. */
export function ProviderSelect() {
  const { data } = useSuspenseQuery(providers())
  const current = useCurrentProvider()
  const navigate = useNavigate()
  const { history } = useRouter()
  const [adding, setAdding] = useState(false)
  const admin = atLeast('admin')
  const inAddress = linkedProvider()
  // the address of the first screen was there before the list of providers
  useEffect(() => {
    if (!inAddress || namesProvider(location.search)) return
    history.replace(withProvider(location), history.location.state)
  }, [inAddress, history])

  const change = (sid: string) => {
    if (!sid || sid === current) return
    selectProvider(sid)
    void navigate({ href: homeHref() })
  }

  return (
    <div className="sidebar-provider">
      <ComboboxButton
        label={t('Service provider')}
        className="provider-button"
        disabled={!admin}
        options={data.data.map((p) => ({ value: p.service_provider_sid, label: p.name }))}
        value={current}
        onChange={change}
        placeholder={t('No service provider')}
      />
      {admin && mayWrite() && (
        <IconButton label={t('Add service provider')} onClick={() => setAdding(true)}>
          <Plus />
        </IconButton>
      )}
      {adding && (
        <Suspense>
          <AddProvider onClose={() => setAdding(false)} onAdded={change} />
        </Suspense>
      )}
    </div>
  )
}
