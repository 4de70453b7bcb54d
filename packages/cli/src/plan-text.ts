import type { Meaning } from '@switchroom/config/meaning'
import type { Change, Plan } from '@switchroom/config/plan'
import { SECRET, WRITTEN } from '@switchroom/config/shown-fields'
import type { Style } from './terminal.ts'

const MARKS = { create: '+', update: '~', replace: '±', delete: '-' } as const
const COLOURS = { create: 'green', update: 'yellow', replace: 'red', delete: 'red' } as const

const valueText = (value: unknown) => {
  if (value === undefined || value === null) return 'none'
  return value === SECRET || value === WRITTEN ? value : JSON.stringify(value)
}

function titleOf(change: Change, { names, owner }: Plan) {
  const { kind, name, account } = change
  const whose = account !== null && !owner.account && names.bySid('accounts', account)
  return `${kind.file}${name === '' ? '' : ` ${name}`}${whose ? ` (${whose.name})` : ''}`
}

const isLost = ({ action }: Change) => action === 'delete' || action === 'replace'

/** A plan as people read it: what is deleted comes apart. */
export function planText(plan: Plan, style: Style): string {
  const lines = (change: Change) => [
    style(COLOURS[change.action], `${MARKS[change.action]} ${titleOf(change, plan)}`) +
      (change.at ? style('dim', `  ${change.at.file}:${change.at.line}`) : ''),
    ...change.fields.map(({ path, from, to }) =>
      change.action === 'create'
        ? `    ${path}: ${valueText(to)}`
        : `    ${path}: ${valueText(from)} → ${valueText(to)}`,
    ),
  ]
  const made = plan.changes.filter((change) => !isLost(change))
  const lost = plan.changes.filter(isLost)
  return [
    ...made.flatMap(lines),
    ...(lost.length > 0 ? ['', style('bold', 'Only with --delete:'), ...lost.flatMap(lines)] : []),
    ...(plan.changes.length > 0 ? [''] : []),
    summaryOf(plan),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

const count = (plan: Plan, action: Change['action']) =>
  plan.changes.filter((change) => change.action === action).length

function summaryOf(plan: Plan) {
  if (plan.changes.length === 0) return 'Nothing to change.'
  const parts = [
    [count(plan, 'create'), 'to add'],
    [count(plan, 'update'), 'to change'],
    [count(plan, 'replace'), 'to delete and add again'],
    [count(plan, 'delete'), 'to delete'],
  ] as const
  return `${parts
    .filter(([n]) => n > 0)
    .map(([n, what]) => `${n} ${what}`)
    .join(', ')}.`
}

/** Effect of changed routes and carriers on the calls of a day. */
export function meaningText(meanings: Meaning[], plan: Plan): string {
  return meanings
    .map(({ change, result, isPartial }) => {
      const { calls, capped, rerouted, lost, gained, too_slow } = result
      const parts = [
        [rerouted, 'would leave by another carrier'],
        [lost, 'would find none'],
        [gained, 'would find one that find none now'],
      ] as const
      const changed = parts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`)
      const of = `of ${capped ? 'the newest ' : ''}${calls} calls of the last 24 hours`
      const text = too_slow
        ? 'its routes cannot be compared: a pattern takes too long, or there are too many'
        : `${of} ${changed.length > 0 ? changed.join(', ') : 'none would go another way'}`
      const left = isPartial ? ' (without carriers that are not there yet)' : ''
      return `${titleOf(change, plan)}: ${text}${left}.\n`
    })
    .join('')
}

/** A plan for programs. */
export const planJson = (plan: Plan, meanings: Meaning[]) => ({
  changes: plan.changes.map((change) => ({
    action: change.action,
    kind: change.kind.file,
    name: change.name,
    account:
      change.account === null ? null : (plan.names.bySid('accounts', change.account)?.name ?? null),
    ...(change.at && { file: change.at.file, line: change.at.line }),
    fields: change.fields.map(({ path, from, to }) => ({
      path,
      from: from ?? null,
      to: to ?? null,
    })),
  })),
  meaning: meanings.map(({ change, result }) => ({
    ...{ kind: change.kind.file, name: change.name, calls: result.calls },
    ...{ rerouted: result.rerouted, lost: result.lost, gained: result.gained },
  })),
})
