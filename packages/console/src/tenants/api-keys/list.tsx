import { API_KEY_KINDS, type ApiKey } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { mayWrite } from '../../lib/access'
import { query } from '../../lib/api'
import { DeleteDialog } from '../../lib/delete-dialog'
import { apiKeys } from '../../lib/endpoints'
import { type ListSearch, paged } from '../../lib/list-search'
import { deleteAction, type RowAction } from '../../lib/row-actions'
import { type Column, Table } from '../../lib/table'
import { useCapabilities } from '../../lib/use-capabilities'
import { Button } from '../../ui/button'
import { Fact, Facts } from '../../ui/facts'
import { Section } from '../../ui/section'
import { Sid } from '../../ui/sid'
import { EmptyState } from '../../ui/states'
import { Badge } from '../../ui/status'
import { Time } from '../../ui/time'
import { EditKey, NewKey, type Owner } from './form'
import { RotateKey } from './rotate'
import './api-keys.css'

const keysOf = (owner: Owner, search: ListSearch) => {
  const { page, page_size } = paged(search)
  const asked = { page, page_size }
  if ('service_provider_sid' in owner)
    return query(apiKeys.ofServiceProvider, { params: owner, query: asked })
  const { account_sid } = owner
  return account_sid
    ? query(apiKeys.ofAccount, { params: { account_sid }, query: asked })
    : query(apiKeys.list, { query: asked })
}

const hasExpired = (k: ApiKey) => k.expires_at !== null && Date.parse(k.expires_at) <= Date.now()

const common: Column<ApiKey>[] = [
  { header: 'Last used', cell: (k) => <Time at={k.last_used} /> },
  { header: 'Expires', cell: (k) => <Time at={k.expires_at} /> },
]

// tokens are shown only once
const columns: Column<ApiKey>[] = [
  {
    header: 'Name',
    cell: (k) => k.name ?? `No name (${k.api_key_sid.slice(0, 4)}…)`,
  },
  { header: 'Access', cell: (k) => <Access apiKey={k} /> },
  ...common,
]

/** For servers that store neither names nor limits. */
const plainColumns: Column<ApiKey>[] = [
  { header: 'API key SID', cell: (k) => <Sid sid={k.api_key_sid} /> },
  { header: 'Created', cell: (k) => <Time at={k.created_at} none="Unknown" /> },
  ...common,
]

const Access = ({ apiKey: k }: { apiKey: ApiKey }) => (
  <span className="badges">
    <Badge>{k.view_only ? 'Read only' : 'Read and write'}</Badge>
    {k.kinds && (
      <Badge>{k.kinds.length === 1 ? API_KEY_KINDS[k.kinds[0]!] : `${k.kinds.length} kinds`}</Badge>
    )}
    {k.networks && <Badge>Limited networks</Badge>}
    {hasExpired(k) ? (
      <Badge tone="bad">Expired</Badge>
    ) : (
      k.replaced_by && <Badge tone="warn">Rotated</Badge>
    )}
  </span>
)

const Details = ({ apiKey: k }: { apiKey: ApiKey }) => (
  <Facts inline>
    <Fact name="API key SID">
      <Sid sid={k.api_key_sid} />
    </Fact>
    <Fact name="Created">
      <Time at={k.created_at} none="Unknown" />
      {k.created_by && ` by ${k.created_by}`}
    </Fact>
    <Fact name="Access">{k.view_only ? 'Read only' : 'Read and write'}</Fact>
    <Fact name="Covers">
      {k.kinds ? k.kinds.map((kind) => API_KEY_KINDS[kind]).join(', ') : 'Everything'}
    </Fact>
    <Fact name="Networks">{k.networks?.join(', ') ?? 'Any'}</Fact>
    <Fact name="Last used from">{k.last_used_ip ?? 'Unknown'}</Fact>
    {k.replaced_by && (
      <Fact name="Rotated to">
        <Sid sid={k.replaced_by} />
      </Fact>
    )}
  </Facts>
)

/** The API keys of an account, a provider or the administrators, to create, edit, rotate and delete. */
export function ApiKeysTable({
  owner,
  label,
  about = 'For programs that call the API. A key has at most the permissions of its owner.',
  search,
}: {
  owner: Owner
  /** Title: "Account API keys". */
  label: string
  about?: string
  search: ListSearch
}) {
  const list = useQuery(keysOf(owner, search))
  const isOurs = Boolean(useCapabilities())
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<ApiKey>()
  const [rotating, setRotating] = useState<ApiKey>()
  const [deleting, setDeleting] = useState<ApiKey>()
  const add = mayWrite() && (
    <Button size="small" onClick={() => setAdding(true)}>
      <Plus aria-hidden />
      Add key
    </Button>
  )
  const actions = (k: ApiKey): RowAction[] => {
    if (!mayWrite()) return []
    const remove = deleteAction('Delete API key', () => setDeleting(k))
    if (!isOurs || k.replaced_by || hasExpired(k)) return [remove]
    return [
      {
        label: 'Edit API key',
        icon: <Pencil />,
        onClick: () => setEditing(k),
        common: true,
        shortcut: 'e',
      },
      { label: 'Rotate API key', icon: <RefreshCw />, onClick: () => setRotating(k) },
      remove,
    ]
  }
  return (
    <Section title={label} about={about} action={add}>
      <div className="api-keys">
        <Table
          label={label}
          columns={isOurs ? columns : plainColumns}
          query={list}
          search={search}
          rowKey={(k) => k.api_key_sid}
          actions={actions}
          {...(isOurs && { detail: (k: ApiKey) => <Details apiKey={k} /> })}
          empty={<EmptyState text="No API keys yet." />}
        />
      </div>
      {adding && <NewKey owner={owner} hasLimits={isOurs} onClose={() => setAdding(false)} />}
      {editing && (
        <EditKey api_key_sid={editing.api_key_sid} onClose={() => setEditing(undefined)} />
      )}
      {rotating && <RotateKey apiKey={rotating} onClose={() => setRotating(undefined)} />}
      {deleting && (
        <DeleteDialog
          endpoint={apiKeys.remove}
          sent={{ params: { api_key_sid: deleting.api_key_sid } }}
          title="Delete API key"
          question={
            <>
              Are you sure you want to delete the following API key? {deleting.name}{' '}
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
