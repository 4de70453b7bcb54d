import { type ApiKey, apiKeys } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { mayWrite } from '../lib/access'
import { query, send } from '../lib/api'
import { DeleteDialog } from '../lib/delete-dialog'
import { messageOf } from '../lib/failure'
import { type ListSearch, paged } from '../lib/list-search'
import { type Column, Table } from '../lib/table'
import { Button } from '../ui/button'
import { CopyBox } from '../ui/copy-box'
import { Dialog, DialogFoot } from '../ui/dialog'
import { Notice } from '../ui/notice'
import { Section } from '../ui/section'
import { SelectField } from '../ui/select'
import { Sid } from '../ui/sid'
import { EmptyState } from '../ui/states'
import { Time } from '../ui/time'
import { toastSuccess } from '../ui/toast'

type Owner = { account_sid: string } | { service_provider_sid: string }

const keysOf = (owner: Owner, search: ListSearch) => {
  const { page, page_size } = paged(search)
  return 'account_sid' in owner
    ? query(apiKeys.ofAccount, { params: owner, query: { page, page_size } })
    : query(apiKeys.ofServiceProvider, { params: owner, query: { page, page_size } })
}

const columns: Column<ApiKey>[] = [
  // keys have no name, and their token is shown only once
  { header: 'API key SID', cell: (k) => <Sid sid={k.api_key_sid} /> },
  { header: 'Created', cell: (k) => <Time at={k.created_at} none="Unknown" /> },
  { header: 'Last used', cell: (k) => <Time at={k.last_used} none="Never used" /> },
  { header: 'Expires', cell: (k) => <Time at={k.expires_at} /> },
]

/** The API keys of an account or provider, to create and delete. */
export function ApiKeysTable({
  owner,
  label,
  search,
}: {
  owner: Owner
  /** Title: "Account API keys". */
  label: string
  search: ListSearch
}) {
  const list = useQuery(keysOf(owner, search))
  const [adding, setAdding] = useState(false)
  const [deleting, setDeleting] = useState<ApiKey>()
  const add = mayWrite() && (
    <Button size="small" onClick={() => setAdding(true)}>
      <Plus aria-hidden />
      Add key
    </Button>
  )
  return (
    <Section
      title={label}
      about="For programs that call the API. A key has the permissions of its owner."
      action={add}
    >
      <Table
        label={label}
        columns={columns}
        query={list}
        search={search}
        rowKey={(k) => k.api_key_sid}
        actions={(k) =>
          mayWrite()
            ? [
                {
                  label: 'Delete API key',
                  icon: <Trash2 />,
                  onClick: () => setDeleting(k),
                  danger: true,
                  common: true,
                },
              ]
            : []
        }
        empty={<EmptyState text="No API keys yet." />}
      />
      {adding && <NewKey owner={owner} onClose={() => setAdding(false)} />}
      {deleting && (
        <DeleteDialog
          endpoint={apiKeys.remove}
          sent={{ params: { api_key_sid: deleting.api_key_sid } }}
          title="Delete API key"
          question={
            <>
              Are you sure you want to delete the following API key?{' '}
              <Sid sid={deleting.api_key_sid} /> Programs that use it will lose access.
            </>
          }
          confirm="Delete API key"
          done="API key deleted"
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Section>
  )
}

const DAY = 86_400
const LIFETIMES = [
  { value: '', label: 'Never' },
  { value: String(30 * DAY), label: 'In 30 days' },
  { value: String(90 * DAY), label: 'In 90 days' },
  { value: String(365 * DAY), label: 'In a year' },
]

function NewKey({ owner, onClose }: { owner: Owner; onClose: () => void }) {
  const [lifetime, setLifetime] = useState('')
  const make = useMutation({
    mutationFn: () =>
      send(apiKeys.create, {
        body: { ...owner, ...(lifetime && { expiry_secs: Number(lifetime) }) },
      }),
    onSuccess: () => toastSuccess('API key created'),
  })
  if (make.data)
    return (
      <Dialog open onClose={onClose} title="Here is your new API key">
        <div className="dialog-body">
          <CopyBox label="API key" value={make.data.token} secret />
          <Notice tone="warn">Copy it now. It is not shown again.</Notice>
          <DialogFoot>
            <Button look="primary" onClick={onClose}>
              Done
            </Button>
          </DialogFoot>
        </div>
      </Dialog>
    )
  return (
    <Dialog open onClose={onClose} title="Add an API key">
      <div className="dialog-body">
        <SelectField label="Expires" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
        {make.error && <Notice tone="bad">{messageOf(make.error)}</Notice>}
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={make.isPending} onClick={() => make.mutate()}>
            {make.isPending ? 'Adding key…' : 'Add key'}
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  )
}
