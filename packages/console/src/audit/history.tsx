import { AUDIT_KINDS, type AuditEntry, actionText, plural, t } from '@switchroom/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { mayWrite } from '../lib/access'
import { query } from '../lib/api'
import { audit } from '../lib/endpoints'
import { messageOf, requestIdOf } from '../lib/failure'
import { oneOf } from '../lib/list-search'
import { usePhoneFormat } from '../lib/phone-format'
import { keysOf } from '../lib/records'
import { useSetSearch } from '../lib/use-set-search'
import { Button } from '../ui/button'
import { timeText } from '../ui/dates'
import { Notice } from '../ui/notice'
import { PageHeader } from '../ui/page-header'
import { rich } from '../ui/rich'
import { Columns, Section } from '../ui/section'
import { SelectField } from '../ui/select'
import { EmptyState, ErrorState, LoadingState } from '../ui/states'
import { Time } from '../ui/time'
import { toastSuccess } from '../ui/toast'
import { Checkbox } from '../ui/toggle'
import './entry.css'
import { changeLines } from './change-lines'
import { useNamed } from './names'
import { isRestorable, type Restoration, restorationOf, restore } from './restore'
import { RestoreDialog } from './restore-dialog'
import { valueText } from './value-text'
import { ValuesTable } from './values-table'

const route = getRouteApi('/internal/audit-log/history')
const KINDS = keysOf(AUDIT_KINDS)
const SHOWN = 100

/** Revealing a secret makes no version. */
const isVersion = (e: AuditEntry) => e.before !== null || e.after !== null

export function History() {
  const { kind: named, sid = '' } = route.useSearch()
  const kind = oneOf(KINDS, named)
  const list = useQuery({
    ...query(audit.list, { query: { kind, sid, page: 1, page_size: SHOWN } }),
    enabled: !!kind && sid !== '',
  })
  const versions = (list.data?.data ?? []).filter(isVersion)
  const [newest] = versions
  const format = usePhoneFormat(kind === 'phone_number' && newest ? [newest.name] : [])
  const name = newest && (kind === 'phone_number' ? format(newest.name) : newest.name)
  const title = name ? t('History of {name}', { name }) : t('History')
  return (
    <>
      <PageHeader title={title} />
      {list.error ? (
        <ErrorState
          message={messageOf(list.error)}
          requestId={requestIdOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : list.isLoading ? (
        <LoadingState text={t('Loading')} />
      ) : !kind || !newest ? (
        <EmptyState text={t('The audit log has no changes of this.')} />
      ) : (
        <Versions key={sid} versions={versions} hasMore={(list.data?.total ?? 0) > SHOWN} />
      )}
    </>
  )
}

function Versions({ versions, hasMore }: { versions: AuditEntry[]; hasMore: boolean }) {
  const search = route.useSearch()
  const setSearch = useSetSearch<{ at?: string; with?: string }>()
  const [onlyDifferences, setOnlyDifferences] = useState(true)
  const newest = versions[0]!
  const { kind, sid } = newest
  // the version in force at a time is the last one that began before
  const inForce = (at: string | undefined) => versions.find((v) => at !== undefined && v.at <= at)
  const to = inForce(search.with) ?? newest
  const from = inForce(search.at) ?? versions[versions.indexOf(to) + 1] ?? to
  const state = (at: string) => query(audit.state, { query: { kind, sid, at } })
  const then = useQuery(state(from.at))
  const other = useQuery(state(to.at))
  const options = versions.map((v) => ({
    value: v.at,
    label: t('{time} · {action} by {actor}', {
      time: timeText(v.at),
      action: actionText(v),
      actor: v.actor,
    }),
  }))
  const { nameOf } = useNamed(sid, ...versions.flatMap(({ before, after }) => [before, after]))
  const error = then.error ?? other.error
  const isDeleted = newest.action === 'delete'
  return (
    <>
      <Section
        title={t('Compare')}
        about={t('{kind}. Each version is what a change left behind.', {
          kind: AUDIT_KINDS[kind],
        })}
      >
        <Columns>
          <SelectField
            label={t('Version')}
            options={options}
            value={from.at}
            onChange={(at) => setSearch({ at })}
          />
          <SelectField
            label={t('Compared with')}
            options={options}
            value={to.at}
            onChange={(at) => setSearch({ with: at })}
          />
        </Columns>
        <Checkbox
          label={t('Only differences')}
          value={onlyDifferences}
          onChange={setOnlyDifferences}
        />
        {error ? (
          <Notice tone="bad">{messageOf(error)}</Notice>
        ) : then.data && other.data ? (
          <>
            {!(then.data.complete && other.data.complete) && (
              <p className="hint">
                {rich('Known since {time}. Fields that have not changed since are not shown.', {
                  time: timeText(then.data.known_since),
                })}
              </p>
            )}
            <Comparison
              sid={sid}
              then={then.data.values}
              other={other.data.values}
              onlyDifferences={onlyDifferences}
              none={plural(
                versions.length,
                'There is one version so far.|These versions are the same.',
              )}
            />
            {mayWrite() && then.data.existed && (
              <Restore entry={from} values={then.data.values} isDeleted={isDeleted} />
            )}
          </>
        ) : (
          <LoadingState text={t('Loading versions')} />
        )}
      </Section>
      <Section
        title={t('Versions')}
        {...(hasMore && { about: t('The newest {count}.', { count: SHOWN }) })}
      >
        <ol className="history">
          {versions.map((v, i) => (
            <li key={v.seq}>
              <Time at={v.at} />
              <span>
                {rich('{action} by {actor}', { action: actionText(v), actor: v.actor })}
                {v.action === 'update' && <Sentences entry={v} nameOf={nameOf} />}
              </span>
              {versions[i + 1] && (
                <Button
                  size="small"
                  onClick={() => setSearch({ at: versions[i + 1]!.at, with: v.at })}
                >
                  {t('Show change')}
                </Button>
              )}
            </li>
          ))}
        </ol>
      </Section>
    </>
  )
}

/** Changes that a version names by themselves; all of them are in its comparison. */
const MAX_SENTENCES = 4
const MAX_VALUE = 60

/** Sentences on a change, one for each field. */
function Sentences({
  entry: { before, after },
  nameOf,
}: {
  entry: AuditEntry
  nameOf: (sid: string) => string | undefined
}) {
  const lines = changeLines(before ?? {}, after ?? {}, nameOf)
  const more = lines.length - MAX_SENTENCES
  const short = (value: unknown) => {
    const text = valueText(typeof value === 'string' ? (nameOf(value) ?? value) : value)
    return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text || t('None')
  }
  return (
    <>
      {lines.slice(0, MAX_SENTENCES).map(({ field, was, is, part }) => (
        <span key={field} className="history-line">
          {part === 'added'
            ? t('Added {part}', { part: field })
            : part === 'removed'
              ? t('Removed {part}', { part: field })
              : t('{field} {was} → {is}', { field, was: short(was), is: short(is) })}
        </span>
      ))}
      {more > 0 && <span className="history-line">{plural(more, 'and 1 more|and {n} more')}</span>}
    </>
  )
}

type Values = Record<string, unknown>

function Comparison({
  sid,
  then,
  other,
  onlyDifferences,
  none,
}: {
  sid: string
  then: Values
  other: Values
  onlyDifferences: boolean
  none: string
}) {
  const { cell, nameOf } = useNamed(sid, then, other)
  const all = [...new Set([...Object.keys(then), ...Object.keys(other)])]
    .map((field) => ({ field, was: then[field], is: other[field] }))
    .filter(({ was, is }) => valueText(was) !== '' || valueText(is) !== '')
  const fields = onlyDifferences ? changeLines(then, other, nameOf) : all
  if (fields.length === 0) return <p className="hint">{none}</p>
  return <ValuesTable heads={[t('Version'), t('Compared with')]} lines={fields} cell={cell} />
}

function Restore({
  entry: { kind, sid, at },
  values,
  isDeleted,
}: {
  entry: AuditEntry
  values: Values
  isDeleted: boolean
}) {
  const client = useQueryClient()
  const [found, setFound] = useState<Restoration>()
  const look = useMutation({
    mutationFn: async () => (isRestorable(kind) ? restorationOf(kind, sid, values) : undefined),
    onSuccess: setFound,
  })
  const save = useMutation({
    mutationFn: async (wanted: Restoration) =>
      isRestorable(kind) ? restore(kind, sid, wanted) : undefined,
    onSuccess: async (restored) => {
      setFound(undefined)
      await client.invalidateQueries()
      toastSuccess(t('Version restored'), restored?.undo)
    },
  })
  if (isDeleted)
    return (
      <p className="hint">
        {t(
          'Deleted resources cannot be restored: they would get another SID, and their secrets are not in the log.',
        )}
      </p>
    )
  if (!isRestorable(kind))
    return <p className="hint">{t('This type cannot be restored. Change it on its own screen.')}</p>
  return (
    <div>
      <Button busy={look.isPending} onClick={() => look.mutate()}>
        {t('Restore this version…')}
      </Button>
      {look.error && <Notice tone="bad">{messageOf(look.error)}</Notice>}
      {found && (
        <RestoreDialog
          sid={sid}
          at={at}
          restoration={found}
          busy={save.isPending}
          error={save.error && messageOf(save.error)}
          onClose={() => {
            save.reset()
            setFound(undefined)
          }}
          onConfirm={() => save.mutate(found)}
        />
      )}
    </div>
  )
}
