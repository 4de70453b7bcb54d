import { type EventData, ISSUE_HOURS, isOpenIssue, needsPerson } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { FoundIssue } from '../issues/found.ts'
import { findIssues } from '../issues/queries.ts'
import type { Wish } from './demand.ts'
import type { Draft } from './draft.ts'
import { addEvents } from './outbox.ts'
import { compare, lookedAt, type State } from './states.ts'
import { type Lease, watch } from './watch.ts'

/** Interval at which an inbox is checked, which reads a day of calls. */
const EVERY_MS = 60_000
/** Inboxes of one pass. */
const AT_ONCE = 10

type Inbox = { account_sid: string | null; service_provider_sid: string }
const ownerOf = ({ account_sid, service_provider_sid }: Inbox) =>
  account_sid ?? service_provider_sid

/** Adds the issues that have opened or are over since the last look. Throws the first error, after all were looked into. */
export async function gatherIssues(ctx: Context, lease: Lease, all: readonly Wish[], now: number) {
  const wishes = all.filter(({ kinds }) =>
    kinds.some((kind) => kind === 'issue.opened' || kind === 'issue.resolved'),
  )
  if (wishes.length === 0) return
  const inboxes = await inboxesOf(ctx, wishes)
  const looked = await lookedAt(ctx.db, inboxes.map(ownerOf))
  const lookedInto = (inbox: Inbox) => looked.get(ownerOf(inbox)) ?? 0
  const due = inboxes
    .filter((inbox) => Math.abs(now - lookedInto(inbox)) >= EVERY_MS)
    .sort((a, b) => lookedInto(a) - lookedInto(b))
    .slice(0, AT_ONCE)
  const failures: unknown[] = []
  // one that cannot be read holds up none of the others
  for (const inbox of due)
    await look(ctx, lease, inbox, now).catch((e: unknown) => failures.push(e))
  if (failures.length > 0) throw failures[0]
}

async function inboxesOf({ db }: Context, wishes: readonly Wish[]): Promise<Inbox[]> {
  const of = (is: Wish['is']) => wishes.flatMap((wish) => (wish.is === is ? [wish.owner] : []))
  const accounts = await db
    .selectFrom('accounts')
    .select(['account_sid', 'service_provider_sid'])
    .where('account_sid', 'in', [...of('account'), ''])
    .execute()
  let providers = db.selectFrom('service_providers').select('service_provider_sid')
  if (of('admin').length === 0)
    providers = providers.where('service_provider_sid', 'in', [...of('service_provider'), ''])
  return [...accounts, ...(await providers.execute()).map((row) => ({ ...row, account_sid: null }))]
}

/** Reads as the owner of the inbox, and no more. */
const readerOf = ({ account_sid, service_provider_sid }: Inbox): Scope => {
  const caller = { view_only: true, force_change: false }
  return account_sid
    ? { ...caller, role: 'account', account_sid, service_provider_sid }
    : { ...caller, role: 'service_provider', service_provider_sid }
}

async function look(ctx: Context, lease: Lease, inbox: Inbox, now: number) {
  const { account_sid, service_provider_sid } = inbox
  const owner = account_sid ? { account_sid } : { service_provider_sid }
  const { issues } = await findIssues(ctx, readerOf(inbox), owner, now, ISSUE_HOURS)
  const states = issues
    .filter((issue) => isOpenIssue(issue.state) && needsPerson(issue))
    .map((issue): State & { data: EventData<'issue.opened'> } => ({
      owner: ownerOf(inbox),
      key: JSON.stringify([issue.kind, issue.key, issue.account_sid]),
      data: dataOf(issue),
    }))
  const drafts = (kind: 'issue.opened' | 'issue.resolved', all: object[]) =>
    (all as EventData<'issue.opened'>[]).map(
      (data): Draft => ({
        ...{ kind, data },
        thing: `issue ${data.kind} ${data.key} ${data.account_sid ?? ''}`,
        ...{ account_sid, service_provider_sid: account_sid ? null : service_provider_sid },
        happened_at: new Date(now).toISOString(),
      }),
    )
  await watch.whileLeased(ctx.db, lease, async (tx) => {
    const { begun, ended } = await compare(tx, ownerOf(inbox), states, now)
    await addEvents(tx, [...drafts('issue.resolved', ended), ...drafts('issue.opened', begun)], now)
  })
}

const dataOf = (issue: FoundIssue): EventData<'issue.opened'> => ({
  kind: issue.kind,
  key: issue.key,
  severity: issue.severity,
  subject: issue.subject,
  text: issue.text,
  account_sid: issue.account_sid,
  first_at: issue.first_at,
})
