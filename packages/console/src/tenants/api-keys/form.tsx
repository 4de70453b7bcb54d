import { type ApiKey, type ApiKeyKind, type ApiKeyView, type Issue, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../lib/api'
import { apiKeys } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { FormDialog } from '../../lib/form-dialog'
import { formLike } from '../../lib/form-like'
import { LoadError } from '../../lib/load-error'
import { Dialog } from '../../ui/dialog'
import { LoadingState } from '../../ui/states'
import { toastSuccess } from '../../ui/toast'
import { Fields, lifetimeOf } from './fields'
import { NewKeyDialog } from './token'

/** Administrators' own keys have neither account nor provider. */
export type Owner =
  | { account_sid: string }
  | { service_provider_sid: string }
  | { account_sid: null }

export type Values = {
  name: string
  /** A number of seconds from now, an ISO time, or nothing for never. */
  expires: string
  access: '' | 'view'
  /** Null means all kinds. */
  kinds: ApiKeyKind[] | null
  networks: string
}

const emptyValues: Values = { name: '', expires: '', access: '', kinds: null, networks: '' }

const valuesOf = (k: ApiKey): Values => ({
  name: k.name ?? '',
  expires: k.expires_at ?? '',
  access: k.view_only ? 'view' : '',
  kinds: k.kinds ?? null,
  networks: k.networks?.join(', ') ?? '',
})

const partsOf = (text: string) => text.split(/[\s,]+/).filter((part) => part !== '')
const orNull = <T,>(list: T[]) => (list.length > 0 ? list : null)

const limitsOf = ({ name, access, kinds, networks }: Values) => ({
  name,
  view_only: access === 'view',
  kinds,
  networks: orNull(partsOf(networks)),
})

const check = ({ kinds }: Values): Issue[] =>
  kinds?.length === 0 ? [{ path: ['kinds'], message: t('Select at least one kind') }] : []

const FIELDS: Record<string, string> = { expiry_secs: 'expires', expires_at: 'expires' }
/** Issues of one kind or network belong to the field with all of them. */
const fieldFor = ([name = '']: Issue['path']): Issue['path'] => [FIELDS[name] ?? name]

/** Creates a key; with a name and limits, if the server has them. */
export function NewKey({
  owner,
  hasLimits,
  onClose,
}: {
  owner: Owner
  hasLimits: boolean
  onClose: () => void
}) {
  const [token, setToken] = useState<string>()
  const form = useApiForm({
    endpoint: apiKeys.create,
    dialog: 'api-key',
    defaultValues: emptyValues,
    check,
    fieldFor,
    toSend: (v) => ({
      body: {
        ...owner,
        ...(v.expires && { expiry_secs: Number(v.expires) }),
        ...(hasLimits && limitsOf(v)),
      },
    }),
    onDone: (made) => {
      toastSuccess(t('API key created'))
      setToken(made.token)
    },
  })
  if (token) return <NewKeyDialog token={token} onClose={onClose} />
  return (
    <FormDialog
      form={form}
      isNew
      wide={hasLimits}
      title={t('Add an API key')}
      submit={t('Add key')}
      submitting={t('Adding key…')}
      onClose={onClose}
    >
      <Fields form={formLike(form)} hasLimits={hasLimits} />
    </FormDialog>
  )
}

const TITLE = t('Edit API key')

/** Changes a key's name, expiry and limits. Its token stays. */
export function EditKey({ api_key_sid, onClose }: { api_key_sid: string; onClose: () => void }) {
  const view = useQuery(query(apiKeys.view, { params: { api_key_sid } }))
  if (view.data) return <Edit apiKey={view.data} onClose={onClose} />
  return (
    <Dialog open wide onClose={onClose} title={TITLE}>
      {view.error ? (
        <LoadError error={view.error} retry={view.refetch} />
      ) : (
        <LoadingState text={t('Loading the API key')} />
      )}
    </Dialog>
  )
}

function Edit({ apiKey, onClose }: { apiKey: ApiKeyView; onClose: () => void }) {
  const { api_key_sid } = apiKey
  const form = useApiForm({
    endpoint: apiKeys.update,
    dialog: api_key_sid,
    defaultValues: valuesOf(apiKey),
    edits: { version: apiKey.version, valuesOf },
    check,
    fieldFor,
    toSend: (v) => ({
      params: { api_key_sid },
      body: { ...limitsOf(v), expires_at: lifetimeOf(v.expires) },
    }),
    onDone: () => {
      toastSuccess(t('API key updated'))
      onClose()
    },
  })
  return (
    <FormDialog form={form} wide title={TITLE} onClose={onClose}>
      <Fields form={formLike(form)} hasLimits stored={apiKey.expires_at} />
    </FormDialog>
  )
}
