import {
  type Application,
  isRecord,
  MASK,
  type PageQuery,
  type Unused,
  type Usage,
  type WebhookWithSid,
} from '@switchroom/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { insertOne } from '../db/insert-many.ts'
import { listing } from '../db/listing.ts'
import type { Db, Tables } from '../db/open.ts'
import type { Context } from '../http/context.ts'
import { byCalls, isUnused, presentCalls, withCalls, withoutCalls } from '../http/latest-calls.ts'
import { readTogether } from '../http/read-together.ts'
import type { Scope } from '../http/scope.ts'
import { besideAccount, besideHooks, isCalled, matchesFilter, type Shown } from '../http/search.ts'
import { ownedBy } from '../http/tenancy.ts'
import { usage } from '../http/used-by.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import * as webhooks from '../tenants/webhooks/queries.ts'

const inScope = (scope: Scope) => ownedBy('applications', scope)

const visible = (db: Db, scope: Scope) => db.selectFrom('applications').where(inScope(scope))

/** The row of an application; undefined when this caller cannot see it. */
export const find = (db: Db, scope: Scope, sid: string) =>
  visible(db, scope).selectAll().where('application_sid', '=', sid).executeTakeFirst()

type Row = NonNullable<Awaited<ReturnType<typeof find>>>

export const HOOKS = ['call_hook', 'call_status_hook', 'messaging_hook'] as const
export type Hook = (typeof HOOKS)[number]

/**
 * Rows as clients see them: variables decrypted, webhooks in place of their sids. One query for all
 * webhooks.
 */
export async function readable<R extends Row>(
  db: Db,
  box: SecretBox,
  rows: R[],
): Promise<(Omit<R, keyof Application> & Application)[]> {
  const hooks = await webhooks.bySid(
    db,
    rows.flatMap((r) => HOOKS.map((h) => r[`${h}_sid`])),
  )
  const hook = (sid: string | null) => hooks.get(sid ?? '') ?? null
  return rows.map((r) => ({
    ...r,
    env_vars: environment(box, r.env_vars),
    call_hook: hook(r.call_hook_sid),
    call_status_hook: hook(r.call_status_hook_sid),
    // newer platforms lack this column
    messaging_hook: hook(r.messaging_hook_sid ?? null),
  }))
}

/** An application as its single read shows it; undefined when this caller cannot see it. */
export const view = readTogether(views, ({ application_sid }) => application_sid)

async function views(
  { db, box, schemaHas }: Pick<Context, 'db' | 'box' | 'schemaHas'>,
  scope: Scope,
  sids: readonly string[],
) {
  const found = await visible(db, scope)
    .selectAll()
    .select([
      webhooks.inRow('applications.call_hook_sid').as('hook'),
      webhooks.inRow('applications.call_status_hook_sid').as('status_hook'),
      // newer platforms lack this column
      schemaHas('applications', 'messaging_hook_sid')
        ? webhooks.inRow('applications.messaging_hook_sid').as('message_hook')
        : sql<unknown>`null`.as('message_hook'),
    ])
    .where('application_sid', 'in', sids)
    .execute()
  return found.map(({ hook, status_hook, message_hook, ...row }) => ({
    ...row,
    env_vars: environment(box, row.env_vars),
    call_hook: webhooks.fromRow(hook),
    call_status_hook: webhooks.fromRow(status_hook),
    messaging_hook: webhooks.fromRow(message_hook),
  }))
}

/** The decrypted environment variables of a row. */
export function environment(box: SecretBox, stored: string | null) {
  const text = stored === null ? undefined : box.open(stored)
  try {
    const parsed: unknown = text === undefined ? null : JSON.parse(text)
    return isRecord(parsed) ? parsed : null
  } catch {
    return null
  }
}

/** An application as lists show it: possible secrets are masked. */
export const masked = <A extends Application>(application: A): A => ({
  ...application,
  env_vars:
    application.env_vars &&
    Object.fromEntries(Object.keys(application.env_vars).map((name) => [name, MASK])),
  ...Object.fromEntries(HOOKS.map((hook) => [hook, webhooks.masked(application[hook])])),
})

type Query = PageQuery & {
  name?: string | undefined
  account_sid?: string | undefined
  unused?: Unused | undefined
}
type Within = { service_provider_sid: string } | { account_sid: string }

/** Columns that a search finds an application by. */
export const shown = (has: Context['schemaHas']): Shown => ({
  sid: 'applications.application_sid',
  names: ['applications.name', ...SPEECH],
  beside: [
    besideAccount('applications'),
    besideHooks(
      'applications.call_hook_sid',
      'applications.call_status_hook_sid',
      // newer platforms lack this column
      ...(has('applications', 'messaging_hook_sid') ? ['applications.messaging_hook_sid'] : []),
    ),
  ],
})

const SPEECH = [
  'applications.speech_synthesis_vendor',
  'applications.speech_synthesis_voice',
  'applications.speech_synthesis_label',
  'applications.speech_recognizer_vendor',
  'applications.speech_recognizer_label',
]

export function list(
  { db, box, schemaHas }: Pick<Context, 'db' | 'box' | 'schemaHas'>,
  scope: Scope,
  query: Query,
  within: Within | undefined = query.account_sid ? { account_sid: query.account_sid } : undefined,
) {
  const { filter, name, unused } = query
  let matching = visible(db, scope)
  if (filter) matching = matching.where(matchesFilter(db, shown(schemaHas), filter))
  if (name) matching = matching.where(isCalled(db, 'applications.name', name))
  if (unused) matching = matching.where(isUnused('applications', unused))
  if (within)
    matching =
      'account_sid' in within
        ? matching.where('applications.account_sid', '=', within.account_sid)
        : matching.where(
            ownedBy('applications', { service_provider_sid: within.service_provider_sid }),
          )
  const rows = db.selectFrom('applications').selectAll('applications')
  return listing({
    db,
    table: 'applications',
    sid: 'application_sid',
    sortable: ['name', 'created_at'],
    sortedAs: byCalls('applications', query.sort),
    query,
    matching,
    rows: rows.$call(withCalls('applications')),
    unjoined: withoutCalls(db, 'applications', rows),
    names: { account_name: 'accounts' },
    present: async (rows) =>
      (
        await readable(
          db,
          box,
          rows.map((row) => presentCalls(row)),
        )
      ).map(masked),
  })
}

export const insert = (db: Db, values: Insertable<Tables['applications']>) =>
  insertOne(db, 'applications', 'application_sid', values)

/** An application that was just inserted, as `view`. */
export function viewOfNew(box: SecretBox, row: Row, added: readonly WebhookWithSid[]) {
  const hook = (sid: string | null | undefined) =>
    added.find(({ webhook_sid }) => webhook_sid === sid) ?? null
  return {
    ...row,
    env_vars: environment(box, row.env_vars),
    call_hook: hook(row.call_hook_sid),
    call_status_hook: hook(row.call_status_hook_sid),
    messaging_hook: hook(row.messaging_hook_sid),
  }
}

export const update = (
  db: Db,
  scope: Scope,
  sid: string,
  change: Updateable<Tables['applications']>,
) =>
  db
    .updateTable('applications')
    .set(change)
    .where('application_sid', '=', sid)
    .where(inScope(scope))
    .execute()

export const remove = (db: Db, scope: Scope, sid: string) =>
  db.deleteFrom('applications').where('application_sid', '=', sid).where(inScope(scope)).execute()

/** Resources that block the deletion of an application. */
export const usedBy = (db: Db, application_sid: string): Promise<Usage[]> => {
  const its = sql`application_sid = ${application_sid}`
  return Promise.all([
    usage(
      db,
      'accounts',
      sql`device_calling_application_sid = ${application_sid} or siprec_hook_sid = ${application_sid}`,
    ),
    usage(db, 'phone_numbers', its),
    usage(db, 'ms_teams_tenants', its),
    usage(db, 'voip_carriers', its),
    usage(db, 'call_routes', its),
  ])
}
