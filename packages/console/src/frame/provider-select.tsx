import { t } from '@switchroom/contract'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { atLeast, mayWrite } from '../lib/access'
import { namesProvider, withProvider } from '../lib/address'
import { send } from '../lib/api'
import { linkedProvider, providers, selectProvider } from '../lib/current-provider'
import { serviceProviders } from '../lib/endpoints'
import { messageOf } from '../lib/failure'
import { homeHref } from '../lib/session'
import { useCurrentProvider } from '../lib/use-provider'
import { Button, IconButton } from '../ui/button'
import { ComboboxButton } from '../ui/combobox-button'
import { Dialog, DialogFoot } from '../ui/dialog'
import { TextField } from '../ui/text-field'
import { toastSuccess } from '../ui/toast'

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
      {adding && <AddProvider onClose={() => setAdding(false)} onAdded={change} />}
    </div>
  )
}

function AddProvider({
  onClose,
  onAdded,
}: {
  onClose: () => void
  onAdded: (sid: string) => void
}) {
  const [name, setName] = useState('')
  const [missing, setMissing] = useState(false)
  const add = useMutation({
    mutationFn: (body: { name: string }) => send(serviceProviders.create, { body }),
    onSuccess: ({ sid }, body) => {
      toastSuccess(t('Added new service provider {name}', { name: body.name }))
      onClose()
      onAdded(sid)
    },
  })
  const problem = add.error ? messageOf(add.error) : undefined

  const submit = (e: FormEvent) => {
    e.preventDefault()
    // React events bubble from the dialog to the frame, although it is elsewhere in the DOM
    e.stopPropagation()
    setMissing(!name.trim())
    if (name.trim() && !add.isPending) add.mutate({ name: name.trim() })
  }

  return (
    <Dialog open onClose={onClose} title={t('Add new service provider')}>
      <form onSubmit={submit} noValidate>
        <TextField
          label={t('Service provider name')}
          autoFocus
          maxLength={64}
          value={name}
          onChange={setName}
          error={missing && !name.trim() ? t('Required') : problem}
        />
        <DialogFoot>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" busy={add.isPending}>
            {add.isPending ? t('Saving…') : t('Save')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
