import type { Directory } from '@switchroom/contract'
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

const accessText = ({ default_access: access }: Directory) =>
  access
    ? `${SCOPES.find((s) => s.value === access.scope)?.label}${access.is_view_only ? ', view-only' : ''}`
    : 'Refused'

const columns: Column<Directory>[] = [
  { header: 'Name', cell: (d) => d.name },
  { header: 'Users', align: 'end', cell: (d) => d.users },
  { header: 'Without a rule', cell: accessText },
  { header: 'Last used', cell: (d) => <Time at={d.last_used} /> },
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
      title="Directories"
      about="A directory such as Entra ID or Okta adds, changes and removes users over SCIM 2.0."
      action={
        mayWrite() && (
          <Button size="small" onClick={() => setEditing('new')}>
            <Plus aria-hidden />
            Add directory
          </Button>
        )
      }
    >
      <CopyBox label="SCIM base URL" value={baseUrl} />
      <Table
        label="Directories"
        columns={columns}
        query={list}
        search={{}}
        rowKey={(d) => d.directory_sid}
        actions={(d) =>
          mayWrite()
            ? [
                {
                  label: 'Edit directory',
                  icon: <Pencil />,
                  onClick: () => setEditing(d),
                  common: true,
                },
                { label: 'Replace token', icon: <KeyRound />, onClick: () => setReplacing(d) },
                {
                  label: 'Delete directory',
                  icon: <Trash2 />,
                  onClick: () => setDeleting(d),
                  danger: true,
                },
              ]
            : []
        }
        empty={<EmptyState text="No directories yet." />}
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
          title="Here is the SCIM token"
          label="SCIM token"
          token={token}
          onClose={() => setToken(undefined)}
        />
      )}
      {deleting && (
        <DeleteDialog
          endpoint={directories.remove}
          sent={{ params: { directory_sid: deleting.directory_sid } }}
          title="Delete directory"
          question={`Are you sure you want to delete the directory ${deleting.name}? Its users stay.`}
          confirm="Delete directory"
          done={`Deleted directory ${deleting.name}`}
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
      title="Replace token"
      confirm="Replace token"
      onConfirm={() => replace.mutate()}
    >
      {`${name} cannot change users until it has the new token.`}
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
      else toastSuccess('Directory updated')
    },
  })
  const action = directory ? 'Save' : 'Add directory'
  return (
    <Dialog open onClose={onClose} title={directory ? 'Edit directory' : 'Add a directory'}>
      <div className="dialog-body">
        <TextField label="Name" value={name} onChange={setName} placeholder="Okta" />
        {!directory && (
          <SelectField
            label="Manages users of"
            value={within}
            onChange={setWithin}
            options={[{ value: '', label: 'All service providers' }, ...providerOptions]}
            help="This cannot be changed later."
          />
        )}
        <SelectField
          label="Users to whom no rule applies"
          value={scope}
          onChange={(next) => setScope(SCOPES.find((s) => s.value === next)?.value ?? '')}
          options={[{ value: '', label: 'Refuse' }, ...SCOPES]}
        />
        {scope === 'service_provider' && (
          <SelectField
            label="Service provider"
            value={provider}
            onChange={setProvider}
            options={[{ value: '', label: 'Choose a service provider' }, ...providerOptions]}
          />
        )}
        {scope === 'account' && (
          <ComboboxField
            label="Account"
            value={account}
            onChange={setAccount}
            {...accountChoices}
          />
        )}
        {scope && <Checkbox label="View-only" value={viewOnly} onChange={setViewOnly} />}
        {save.error && <Notice tone="bad">{messageOf(save.error)}</Notice>}
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
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
