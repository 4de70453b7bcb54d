import { API_KEY_KINDS, type ApiKey, msg, t } from '@switchroom/contract'
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
import { rich } from '../../ui/rich'
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
  { header: msg('Last used'), cell: (k) => <Time at={k.last_used} /> },
  { header: msg('Expires'), cell: (k) => <Time at={k.expires_at} /> },
]

// tokens are shown only once
const columns: Column<ApiKey>[] = [
  {
    header: msg('Name'),
    cell: (k) =>
      k.name ?? t('No name ({api_key_sid}…)', { api_key_sid: k.api_key_sid.slice(0, 4) }),
  },
  { header: msg('Access'), cell: (k) => <Access apiKey={k} /> },
  ...common,
]

/** For servers that store neither names nor limits. */
const plainColumns: Column<ApiKey>[] = [
  { header: msg('API key SID'), cell: (k) => <Sid sid={k.api_key_sid} /> },
  { header: msg('Created'), cell: (k) => <Time at={k.created_at} none={t('Unknown')} /> },
  ...common,
]

const Access = ({ apiKey: k }: { apiKey: ApiKey }) => (
  <span className="badges">
    <Badge>{k.view_only ? t('Read only') : t('Read and write')}</Badge>
    {k.kinds && (
      <Badge>
        {k.kinds.length === 1
          ? API_KEY_KINDS[k.kinds[0]!]
          : t('{kinds} kinds', { kinds: k.kinds.length })}
      </Badge>
    )}
    {k.networks && <Badge>{t('Limited networks')}</Badge>}
    {hasExpired(k) ? (
      <Badge tone="bad">{t('Expired')}</Badge>
    ) : (
      k.replaced_by && <Badge tone="warn">{t('Rotated')}</Badge>
    )}
  </span>
)

const Details = ({ apiKey: k }: { apiKey: ApiKey }) => (
  <Facts inline>
    <Fact name={t('API key SID')}>
      <Sid sid={k.api_key_sid} />
    </Fact>
    <Fact name={t('Created')}>
      {k.created_by ? (
        rich('{time} by {user}', {
          time: <Time at={k.created_at} none={t('Unknown')} />,
          user: k.created_by,
        })
      ) : (
        <Time at={k.created_at} none={t('Unknown')} />
      )}
    </Fact>
    <Fact name={t('Access')}>{k.view_only ? t('Read only') : t('Read and write')}</Fact>
    <Fact name={t('Covers')}>
      {k.kinds ? k.kinds.map((kind) => API_KEY_KINDS[kind]).join(', ') : t('Everything')}
    </Fact>
    <Fact name={t('Networks')}>{k.networks?.join(', ') ?? t('Any')}</Fact>
    <Fact name={t('Last used from')}>{k.last_used_ip ?? t('Unknown')}</Fact>
    {k.replaced_by && (
      <Fact name={t('Rotated to')}>
        <Sid sid={k.replaced_by} />
      </Fact>
    )}
  </Facts>
)

/** The API keys of an account, a provider or the administrators, to create, edit, rotate and delete. */
export function ApiKeysTable({
  owner,
  label,
  about = t('For programs that call the API. A key has at most the permissions of its owner.'),
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
      {t('Add key')}
    </Button>
  )
  const actions = (k: ApiKey): RowAction[] => {
    if (!mayWrite()) return []
    const remove = deleteAction(t('Delete API key'), () => setDeleting(k))
    if (!isOurs || k.replaced_by || hasExpired(k)) return [remove]
    return [
      {
        label: t('Edit API key'),
        icon: <Pencil />,
        onClick: () => setEditing(k),
        common: true,
        shortcut: 'e',
      },
      { label: t('Rotate API key'), icon: <RefreshCw />, onClick: () => setRotating(k) },
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
          empty={<EmptyState text={t('No API keys yet.')} />}
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
          title={t('Delete API key')}
          question={rich(
            'Are you sure you want to delete the following API key? {name} {sid} Programs that use it will lose access.',
            { name: deleting.name, sid: <Sid sid={deleting.api_key_sid} /> },
          )}
          done={t('API key deleted')}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Section>
  )
}
