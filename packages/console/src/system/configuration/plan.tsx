import type { Meaning } from '@switchroom/config/meaning'
import type { Change, Plan } from '@switchroom/config/plan'
import type { Place } from '@switchroom/config/problem'
import type { Field } from '@switchroom/config/shown-fields'
import { numberText, plural, t } from '@switchroom/contract'
import { memo, useState } from 'react'
import { Button } from '../../ui/button'
import { Badge, Status } from '../../ui/status'
import { PlaceButton } from './problems'
import { valueText } from './value-text'

/** True for changes that delete something: they need a confirmation. */
export const isLost = ({ action }: Change) => action === 'delete' || action === 'replace'

const ACTIONS = {
  create: { label: t('Add'), tone: 'ok' },
  update: { label: t('Change'), tone: 'info' },
  replace: { label: t('Delete and add again'), tone: 'bad' },
  delete: { label: t('Delete'), tone: 'bad' },
} as const

/** Name of the changed resource, with its account if there are several. */
function nameOf({ kind, name, account }: Change, { owner, names }: Plan) {
  const whose =
    account !== null && !owner.account ? names.bySid('accounts', account)?.name : undefined
  const thing = name || kind.title
  return whose === undefined ? thing : t('{thing} of {account}', { thing, account: whose })
}

/** "Phone numbers: 442079460958" */
export const titleOf = (change: Change, plan: Plan) =>
  change.name ? `${change.kind.title}: ${nameOf(change, plan)}` : nameOf(change, plan)

type Progress = { done: number; order: ReadonlyMap<Change, number> }
type ListProps = {
  plan: Plan
  changes: readonly Change[]
  progress: Progress | undefined
  onShow: (place: Place) => void
}

/** Changes by the kinds of things, in the order in which they are made. */
export function Changes({ changes, ...props }: ListProps) {
  const kinds = [...new Set(changes.map(({ kind }) => kind))]
  return kinds.map((kind) => (
    <section key={kind.file} aria-label={kind.title}>
      <h3>{kind.title}</h3>
      <OfKind {...props} changes={changes.filter((change) => change.kind === kind)} />
    </section>
  ))
}

const SHOWN = 25
const MORE = 200

function OfKind({ changes, plan, progress, onShow }: ListProps) {
  const [most, setMost] = useState(SHOWN)
  const more = changes.length - most
  const stateOf = (change: Change) => {
    const place = progress?.order.get(change)
    if (!progress || place === undefined || place > progress.done) return undefined
    return place < progress.done ? 'done' : 'now'
  }
  return (
    <>
      <ul className="config-changes">
        {changes.slice(0, most).map((change) => (
          <Row
            key={change.sid}
            change={change}
            title={nameOf(change, plan)}
            state={stateOf(change)}
            onShow={onShow}
          />
        ))}
      </ul>
      {more > 0 && (
        <Button size="small" onClick={() => setMost(most + MORE)}>
          {plural(Math.min(more, MORE), 'Show 1 more|Show {n} more')}
        </Button>
      )}
    </>
  )
}

const FIELDS = 8

const Row = memo(function Row({
  change,
  title,
  state,
  onShow,
}: {
  change: Change
  title: string
  state: 'done' | 'now' | undefined
  onShow: (place: Place) => void
}) {
  const { action, at, fields } = change
  const { label, tone } = ACTIONS[action]
  const more = fields.length - FIELDS
  return (
    <li>
      <span className="config-change">
        <Badge tone={tone}>{label}</Badge>
        <strong>{title}</strong>
        {at && <PlaceButton place={at} onShow={onShow} />}
        {state && (
          <Status tone={state === 'done' ? 'ok' : 'info'}>
            {state === 'done' ? t('Done') : t('Applying…')}
          </Status>
        )}
      </span>
      {fields.length > 0 && <Fields change={change} fields={fields.slice(0, FIELDS)} />}
      {more > 0 && (
        <details>
          <summary>{plural(more, 'and 1 more field|and {n} more fields')}</summary>
          <Fields change={change} fields={fields.slice(FIELDS)} />
        </details>
      )}
    </li>
  )
})

const Fields = ({ change, fields }: { change: Change; fields: readonly Field[] }) => (
  <ul className="config-fields-of">
    {fields.map(({ path, from, to }) => (
      <li key={path}>
        <code>{path}</code>{' '}
        {change.action === 'create'
          ? valueText(to)
          : t('{was} → {is}', { was: valueText(from), is: valueText(to) })}
      </li>
    ))}
  </ul>
)

/** How many of each there are: "2 to add, 1 to change, 12 as they are to be". */
export function Summary({ plan: { changes, unchanged } }: { plan: Plan }) {
  const count = (action: Change['action']) => changes.filter((one) => one.action === action).length
  const [created, updated, replaced, deleted] = (
    ['create', 'update', 'replace', 'delete'] as const
  ).map(count) as [number, number, number, number]
  const parts = [
    created > 0 && t('{n} to add', { n: numberText(created) }),
    updated > 0 && t('{n} to change', { n: numberText(updated) }),
    replaced > 0 && t('{n} to delete and add again', { n: numberText(replaced) }),
    deleted > 0 && t('{n} to delete', { n: numberText(deleted) }),
    t('{n} unchanged', { n: numberText(unchanged) }),
  ]
  return (
    <p role="status">
      {changes.length === 0 && `${t('Nothing to change: everything matches the files.')} `}
      {parts.filter(Boolean).join(' · ')}
    </p>
  )
}

/** Effect of a changed route or carrier on the calls of a day. */
export function MeaningLine({ meaning, plan }: { meaning: Meaning; plan: Plan }) {
  const { change, result, isPartial } = meaning
  const { calls, rerouted, lost, gained, too_slow } = result
  const parts = [
    rerouted > 0 &&
      plural(
        rerouted,
        '1 call would leave by another carrier|{n} calls would leave by another carrier',
      ),
    lost > 0 && plural(lost, '1 call would find no carrier|{n} calls would find no carrier'),
    gained > 0 &&
      plural(
        gained,
        '1 call that finds no carrier now would find one|{n} calls that find no carrier now would find one',
      ),
  ].filter(Boolean)
  const compared = plural(
    calls,
    'Compared with 1 call of the last 24 hours.|Compared with {n} calls of the last 24 hours.',
  )
  return (
    <li>
      <strong>{titleOf(change, plan)}</strong>{' '}
      {too_slow
        ? t('Its routes cannot be compared: a pattern takes too long, or there are too many.')
        : calls === 0
          ? t('There were no calls in the last 24 hours to compare with.')
          : `${parts.length > 0 ? parts.join(' · ') : t('No call would be routed differently')}. ${compared}`}
      {isPartial && ` ${t('Carriers that do not exist yet were left out.')}`}
    </li>
  )
}
