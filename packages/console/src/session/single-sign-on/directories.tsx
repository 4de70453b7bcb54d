import { type Directory, msg, t } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { mayWrite } from '../../lib/access'
import { query, send } from '../../lib/api'
import { DeleteDialog } from '../../lib/delete-dialog'
import { directories } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { type Column, Table } from '../../lib/table'
import { Button } from '../../ui/button'
import { ComboboxField } from '../../ui/combobox-field'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { CopyBox } from '../../ui/copy-box'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { Notice } from '../../ui/notice'
import { Section } from '../../ui/section'
import { SelectField } from '../../ui/select'
import { EmptyState } from '../../ui/states'
import { TextField } from '../../ui/text-field'
import { Time } from '../../ui/time'
import { toastSuccess } from '../../ui/toast'
import { Checkbox } from '../../ui/toggle'
import { TokenDialog } from '../../ui/token-dialog'
import { SCOPES, useAnyAccount, useProviderOptions } from './rules'

function accessText({ default_access: access }: Directory) {
  if (!access) return t('Refused')
  const scope = SCOPES.find((s) => s.value === access.scope)?.label
  return access.is_view_only ? t('{scope}, view-only', { scope }) : scope
}

const columns: Column<Directory>[] = [
  { header: msg('Name'), cell: (d) => d.name },
  { header: msg('Users'), align: 'end', cell: (d) => d.users },
  { header: msg('Without a rule'), cell: accessText },
  { header: msg('Last used'), cell: (d) => <Time at={d.last_used} /> },
]

/** Directories that add, change and remove users over SCIM. */
export function Directories({ baseUrl }: { baseUrl: string }) {
  const list = useQuery({
    ...query(directories.list, {}),
    select: (data) => ({ data, total: data.length }),
  })
  const [editing, setEditing] = useState<Directory | 'new'>()
  const [replacing, setReplacing] = useState<Directory>()
  const [deleting, setDeleting] = useState<Directory>()
  const [token, setToken] = useState<string>()
  return (
    <Section
      title={t('Directories')}
      about={t(
        'A directory such as Entra ID or Okta adds, changes and removes users over SCIM 2.0.',
      )}
      action={
        mayWrite() && (
          <Button size="small" onClick={() => setEditing('new')}>
            <Plus aria-hidden />
            {t('Add directory')}
          </Button>
        )
      }
    >
      <CopyBox label={t('SCIM base URL')} value={baseUrl} />
      <Table
        label={msg('Directories')}
        columns={columns}
        query={list}
        search={{}}
        rowKey={(d) => d.directory_sid}
        actions={(d) =>
          mayWrite()
            ? [
                {
                  label: t('Edit directory'),
                  icon: <Pencil />,
                  onClick: () => setEditing(d),
                  common: true,
                },
                { label: t('Replace token'), icon: <KeyRound />, onClick: () => setReplacing(d) },
                {
                  label: t('Delete directory'),
                  icon: <Trash2 />,
                  onClick: () => setDeleting(d),
                  danger: true,
                },
              ]
            : []
        }
        empty={<EmptyState text={t('No directories yet.')} />}
      />
      {editing && (
        <EditDirectory
          directory={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onToken={setToken}
        />
      )}
      {replacing && (
        <ReplaceToken
          directory={replacing}
          onClose={() => setReplacing(undefined)}
          onToken={setToken}
        />
      )}
      {token && (
        <TokenDialog
          title={t('Here is the SCIM token')}
          label={t('SCIM token')}
          token={token}
          onClose={() => setToken(undefined)}
        />
      )}
      {deleting && (
        <DeleteDialog
          endpoint={directories.remove}
          sent={{ params: { directory_sid: deleting.directory_sid } }}
          title={t('Delete directory')}
          question={t('Are you sure you want to delete the directory {name}? Its users stay.', {
            name: deleting.name,
          })}
          done={t('Deleted directory {name}', { name: deleting.name })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Section>
  )
}

type Opened = { onClose: () => void; onToken: (token: string) => void }

function ReplaceToken({ directory, onClose, onToken }: Opened & { directory: Directory }) {
  const { directory_sid, name } = directory
  const replace = useMutation({
    mutationFn: () => send(directories.replaceToken, { params: { directory_sid } }),
    onSuccess: ({ token }) => {
      onClose()
      onToken(token)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('Replace token')}
      confirm={t('Replace token')}
      onConfirm={() => replace.mutate()}
    >
      {t('{name} cannot change users until it has the new token.', { name })}
      {replace.error && <Notice tone="bad">{messageOf(replace.error)}</Notice>}
    </ConfirmDialog>
  )
}

type Scope = '' | 'admin' | 'service_provider' | 'account'

function EditDirectory({
  directory,
  onClose,
  onToken,
}: Opened & { directory: Directory | undefined }) {
  const stored = directory?.default_access
  const [name, setName] = useState(directory?.name ?? '')
  const [within, setWithin] = useState(directory?.service_provider_sid ?? '')
  const [scope, setScope] = useState<Scope>(stored?.scope ?? '')
  const [provider, setProvider] = useState(stored?.service_provider_sid ?? '')
  const [account, setAccount] = useState(stored?.account_sid ?? '')
  const [viewOnly, setViewOnly] = useState(stored?.is_view_only ?? false)
  const providerOptions = useProviderOptions()
  const accountChoices = useAnyAccount(account)
  const save = useMutation({
    mutationFn: async () => {
      const default_access = scope
        ? { scope, service_provider_sid: provider, account_sid: account, is_view_only: viewOnly }
        : null
      const body = { name, default_access }
      if (!directory)
        return send(directories.create, { body: { ...body, service_provider_sid: within } })
      const { directory_sid } = directory
      await send(directories.update, { params: { directory_sid }, body })
      return undefined
    },
    onSuccess: (made) => {
      onClose()
      if (made) onToken(made.token)
      else toastSuccess(t('Directory updated'))
    },
  })
  const action = directory ? t('Save') : t('Add directory')
  return (
    <Dialog open onClose={onClose} title={directory ? t('Edit directory') : t('Add a directory')}>
      <div className="dialog-body">
        <TextField label={t('Name')} value={name} onChange={setName} placeholder={t('Okta')} />
        {!directory && (
          <SelectField
            label={t('Manages users of')}
            value={within}
            onChange={setWithin}
            options={[{ value: '', label: t('All service providers') }, ...providerOptions]}
            help={t('This cannot be changed later.')}
          />
        )}
        <SelectField
          label={t('Users to whom no rule applies')}
          value={scope}
          onChange={(next) => setScope(SCOPES.find((s) => s.value === next)?.value ?? '')}
          options={[{ value: '', label: t('Refuse') }, ...SCOPES]}
        />
        {scope === 'service_provider' && (
          <SelectField
            label={t('Service provider')}
            value={provider}
            onChange={setProvider}
            options={[{ value: '', label: t('Choose a service provider') }, ...providerOptions]}
          />
        )}
        {scope === 'account' && (
          <ComboboxField
            label={t('Account')}
            value={account}
            onChange={setAccount}
            {...accountChoices}
          />
        )}
        {scope && <Checkbox label={t('View-only')} value={viewOnly} onChange={setViewOnly} />}
        {save.error && <Notice tone="bad">{messageOf(save.error)}</Notice>}
        <DialogFoot>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            look="primary"
            busy={save.isPending}
            disabled={!name.trim()}
            onClick={() => save.mutate()}
          >
            {action}
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  )
}
