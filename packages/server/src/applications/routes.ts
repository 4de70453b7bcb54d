import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  APPLICATION_COLUMNS,
  APPLICATION_NAME_TAKEN,
  type api,
  applications as endpoints,
  IN_USE,
  type Received,
  t,
} from '@switchroom/contract'
import type { Updateable } from 'kysely'
import { audited, auditedAddition } from '../audit/audited.ts'
import { definedFields, isEmpty } from '../db/defined-fields.ts'
import type { Db, Tables } from '../db/open.ts'
import type { Context } from '../http/context.ts'
import { csv, mapped } from '../http/csv.ts'
import { Failure, found, missingField, onDuplicate, refuseInUse } from '../http/failure.ts'
import { refuseOverLimit, refuseOverQuota } from '../http/limits.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import { kindOf } from '../http/used-by.ts'
import { importCsv } from '../imports/import.ts'
import { plainJson, unlessHidden } from '../secrets/without-secrets.ts'
import * as accounts from '../tenants/accounts/queries.ts'
import * as serviceProviders from '../tenants/service-providers/queries.ts'
import * as webhooks from '../tenants/webhooks/queries.ts'
import { checkAppJson, checkedEnvironment } from './checks.ts'
import { applicationImport } from './import.ts'
import * as applications from './queries.ts'
import * as runs from './runs/queries.ts'
import * as suites from './runs/suites.ts'
import * as testCases from './test-cases/queries.ts'

const taken = onDuplicate({ name: APPLICATION_NAME_TAKEN })

type Body = Received<typeof api.applications.update>['body']
type Stored = Partial<Record<`${applications.Hook}_sid`, string | null>> & {
  env_vars?: unknown
}

/** The columns to write: webhooks saved, variables encrypted. Omitted fields stay undefined. */
async function columns(
  tx: Db,
  ctx: Context,
  body: Body,
  stored: Stored,
  /** Gets the webhooks that are added. */
  added: webhooks.New[] = [],
) {
  const { call_hook, call_status_hook, messaging_hook, env_vars, account_sid: _, ...rest } = body
  const sent = { call_hook, call_status_hook, messaging_hook }
  const change: Updateable<Tables['applications']> = { ...rest }
  // encrypting again would look like a change
  if (env_vars !== undefined && !isDeepStrictEqual(env_vars, stored.env_vars ?? null))
    change.env_vars = env_vars && ctx.box.seal(JSON.stringify(env_vars))
  for (const hook of applications.HOOKS) {
    const sid = `${hook}_sid` as const
    if (!ctx.schemaHas('applications', sid)) continue
    change[sid] = await webhooks.replace(tx, ctx.schemaHas, stored[sid], sent[hook], added)
  }
  await webhooks.insertAll(tx, added)
  return definedFields(change)
}

const hookSids = (row: Stored) => applications.HOOKS.map((h) => row[`${h}_sid`])

const auditSubject = (ctx: Context, scope: Scope, sid: string) => ({
  kind: 'application' as const,
  sid,
  view: endpoints.view,
  read: (tx: Db) => applications.view({ ...ctx, db: tx }, scope, sid),
})

/** Throws 403 for another provider's account and for a missing one, as the platform does. */
async function newOwner(db: Db, scope: Scope, account_sid: string | null | undefined) {
  const reachable =
    scope.role !== 'service_provider' ||
    !account_sid ||
    (await accounts.findVisible(db, scope, account_sid))
  if (!reachable) throw new Failure('forbidden', t('insufficient privileges'))
  return accounts.ownerOf(db, scope, account_sid)
}

export const applicationRoutes: Handlers<typeof api.applications> = {
  list: ({ query, scope, ctx }) => applications.list(ctx, scope, query),

  async ofAccount({ params, query, scope, ctx }) {
    found(await accounts.findVisible(ctx.db, scope, params.account_sid), t('account'))
    return applications.list(ctx, scope, query, params)
  },

  async ofServiceProvider({ params, query, scope, ctx }) {
    found(
      await serviceProviders.find(ctx.db, scope, params.service_provider_sid),
      t('service provider'),
    )
    return applications.list(ctx, scope, query, params)
  },

  view: async ({ params, scope, ctx }) =>
    found(await applications.view(ctx, scope, params.application_sid), t('application')),

  async create({ body, ...actor }) {
    const { ctx, scope } = actor
    const sid = randomUUID()
    await checkAppJson(ctx, body)
    await checkedEnvironment(ctx, scope, body, undefined)
    const subject = { kind: 'application', sid, view: endpoints.view } as const
    await auditedAddition(actor, subject, async (tx) => {
      const owner = await newOwner(tx, scope, body.account_sid)
      if (!owner) throw missingField('account_sid')
      await refuseOverLimit(ctx, tx, scope, 'applications')
      await refuseOverQuota(ctx, tx, 'applications', [owner.account_sid])
      const added: webhooks.New[] = []
      const row = await applications.insert(tx, {
        ...(await columns(tx, ctx, body, {}, added)),
        name: body.name,
        application_sid: sid,
        account_sid: owner.account_sid,
      })
      return applications.viewOfNew(ctx.box, row, added)
    }).catch(taken)
    return { sid }
  },

  async update({ params: { application_sid }, body: sent, ...actor }) {
    const { ctx, scope } = actor
    const before = found(await applications.find(ctx.db, scope, application_sid), t('application'))
    const app_json = unlessHidden(sent.app_json, before.app_json, plainJson)
    const body = { ...sent, ...(app_json !== undefined && { app_json }) }
    await checkAppJson(ctx, body)
    const env_vars = await checkedEnvironment(ctx, scope, body, before)
    await audited(actor, auditSubject(ctx, scope, application_sid), async (tx, read) => {
      const stored = found(read, t('application'))
      const change = await columns(tx, ctx, { ...body, env_vars }, stored)
      if (body.account_sid && body.account_sid !== stored.account_sid) {
        const { account_sid } = await accounts.owned(tx, scope, body.account_sid)
        // what references it stays with the old account
        refuseInUse(
          t('To move the application to another account, first remove everything that uses it.'),
          await applications.usedBy(tx, application_sid),
        )
        await refuseOverQuota(ctx, tx, 'applications', [account_sid])
        change.account_sid = account_sid
        await runs.move(tx, application_sid, account_sid)
        await testCases.move(tx, application_sid, account_sid)
        await suites.move(tx, application_sid, account_sid)
      }
      if (!isEmpty(change)) await applications.update(tx, scope, application_sid, change)
      const left = hookSids(stored).filter(
        (sid) => !hookSids({ ...stored, ...change }).includes(sid),
      )
      await webhooks.prune(tx, ctx.schemaHas, ...left)
    }).catch(taken)
  },

  import: (input) =>
    importCsv(input, applicationImport(input.scope, input.query.service_provider_sid)),

  export({ query: { account_sid, service_provider_sid, columns, ...query }, scope, ctx }) {
    const within = account_sid
      ? { account_sid }
      : service_provider_sid
        ? { service_provider_sid }
        : undefined
    const list = applications.list(ctx, scope, { ...query, page_size: 0 }, within)
    return csv(
      columns ?? APPLICATION_COLUMNS,
      mapped(
        list.all(ctx.memory.listings),
        ({ account_name, call_hook, call_status_hook, ...a }) => ({
          ...a,
          account: account_name,
          call_hook: call_hook?.url,
          call_status_hook: call_status_hook?.url,
        }),
      ),
      query,
    )
  },

  async remove({ params: { application_sid }, ...actor }) {
    const { ctx, scope } = actor
    await audited(actor, auditSubject(ctx, scope, application_sid), async (tx, read) => {
      const stored = found(read, t('application'))
      const used = await applications.usedBy(tx, application_sid)
      const numbers = used.some((u) => u.kind === kindOf('phone_numbers') && u.total > 0)
      refuseInUse(
        numbers ? t('cannot delete application with phone numbers') : IN_USE.application,
        used,
      )
      await runs.removeOf(tx, { application_sid })
      await testCases.removeOf(tx, { application_sid })
      await suites.removeOf(tx, { application_sid })
      await applications.remove(tx, scope, application_sid)
      await webhooks.prune(tx, ctx.schemaHas, ...hookSids(stored))
    })
  },
}
