import { randomUUID } from 'node:crypto'
import {
  ACCOUNT_COLUMNS,
  ACCOUNT_NAME_TAKEN,
  type Account,
  type api,
  BucketCredential,
  accounts as contract,
  IN_USE,
  plainError,
  SIP_REALM_TAKEN,
  t,
  webhookSecret,
} from '@switchroom/contract'
import { auditEvent, audited, auditedIn } from '../../audit/audited.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { csv, mapped } from '../../http/csv.ts'
import {
  conflict,
  Failure,
  found,
  invalidField,
  missingField,
  onDuplicate,
  refuseInUse,
} from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { endingSessions } from '../../http/sessions.ts'
import { importCsv } from '../../imports/import.ts'
import * as limits from '../limits/queries.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import * as webhooks from '../webhooks/queries.ts'
import { bucketToStore, completeBucket } from './bucket.ts'
import { testBucket } from './bucket-test.ts'
import {
  checkApplications,
  checkDeleter,
  NOT_FOR_PROVIDERS,
  refuseDecisions,
  updatableFields,
} from './checks.ts'
import { accountImport } from './import.ts'
import * as accountNames from './names.ts'
import * as accounts from './queries.ts'
import { recordsOf, release, setRealm } from './realms.ts'
import * as accountRemoval from './remove.ts'

const lock = 'accounts'

type Hooks = Pick<Account, 'registration_hook' | 'queue_event_hook'>

const taken = onDuplicate({ sip_realm: SIP_REALM_TAKEN })

/** The platform answers 403 to everyone but admins, for foreign and missing accounts alike. */
const accountNotFound = (scope: Scope) =>
  scope.role === 'admin'
    ? new Failure('not_found', t('No such account'))
    : new Failure('forbidden', t('insufficient permissions'))

async function requireVisible(ctx: Context, scope: Scope, account_sid: string) {
  if (!(await accounts.findVisible(ctx.db, scope, account_sid))) throw accountNotFound(scope)
}

/** Redis key prefix of the platform's speech cache for an account. */
const ttsKeys = (account_sid: string) => `tts:${account_sid}:`

/** Includes encrypted values, so that the audit log can tell when one changed. */
function auditSubject(ctx: Context, scope: Scope, sid: string) {
  let row: accounts.AccountRow
  return {
    kind: 'account' as const,
    sid,
    lock,
    view: contract.view,
    async read(tx: Db) {
      const read = await accounts.viewAndRow({ ...ctx, db: tx }, scope, sid)
      row = read?.row
      const sealed = row?.bucket_credential
      return read && { ...read.account, bucket_secret: sealed && ctx.box.open(sealed) }
    },
    /** The row that was read. */
    row: () => row,
  }
}

export const accountRoutes: Handlers<typeof api.accounts> = {
  list: ({ query, scope, ctx }) => accounts.list(ctx, scope, query),

  async ofServiceProvider({ params, query, scope, ctx }) {
    found(
      await serviceProviders.find(ctx.db, scope, params.service_provider_sid),
      t('service provider'),
    )
    return accounts.list(ctx, scope, query, params)
  },

  view: async ({ params, scope, ctx }) =>
    found(await accounts.view(ctx, scope, params.account_sid), t('account')),

  async create({ body, ...actor }) {
    const { scope, ctx } = actor
    const provider =
      scope.role === 'service_provider' ? scope.service_provider_sid : body.service_provider_sid
    if (!provider) throw missingField('service_provider_sid')
    if (body.service_provider_sid && body.service_provider_sid !== provider)
      throw invalidField('service_provider_sid', t('No such service provider'))
    const sid = randomUUID()
    const { hooks, bucket, limits: quantities, ...rest } = updatableFields(body)
    const columns = { ...rest.columns, ...(scope.role !== 'admin' && NOT_FOR_PROVIDERS) }
    await audited(actor, { ...auditSubject(ctx, scope, sid), isNew: true }, async (tx) => {
      if (!(await serviceProviders.find(tx, scope, provider)))
        throw invalidField(
          'service_provider_sid',
          t('service_provider not found for sid {provider}', { provider }),
        )
      if (await accountNames.isNameTaken(tx, provider, body.name))
        throw conflict('name', ACCOUNT_NAME_TAKEN)
      await checkApplications(tx, sid, body)
      const { registration_hook, queue_event_hook } = hooks
      await accounts.insert(tx, {
        ...definedFields({
          ...columns,
          bucket_credential: bucketToStore(ctx.box, scope, bucket, null),
        }),
        name: body.name,
        account_sid: sid,
        service_provider_sid: provider,
        webhook_secret: webhookSecret(),
        registration_hook_sid: registration_hook
          ? await webhooks.insert(tx, registration_hook)
          : null,
        queue_event_hook_sid: queue_event_hook ? await webhooks.insert(tx, queue_event_hook) : null,
      })
      await limits.save(tx, scope, { account_sid: sid }, quantities)
    }).catch(taken)
    return { sid }
  },

  async update({ params: { account_sid }, body, ...actor }) {
    const { scope, ctx } = actor
    const { hooks, bucket, columns, limits: quantities } = updatableFields(body)
    const subject = auditSubject(ctx, scope, account_sid)
    const change = async (tx: Db, before: Partial<Hooks> | undefined) => {
      const stored = subject.row()
      if (!stored) throw accountNotFound(scope)
      refuseDecisions(scope, body, stored)
      const { name, sip_realm } = body
      if (body.service_provider_sid && body.service_provider_sid !== stored.service_provider_sid)
        throw invalidField('service_provider_sid', t('service_provider_sid may not be modified'))
      const renamed = name !== undefined && name !== stored.name
      if (
        renamed &&
        (await accountNames.isNameTaken(tx, stored.service_provider_sid, name, account_sid))
      )
        throw conflict('name', ACCOUNT_NAME_TAKEN)
      const hosted = ctx.config.page.ENABLE_HOSTED_SYSTEM && scope.role === 'account'
      if (hosted && sip_realm !== undefined && sip_realm !== stored.sip_realm)
        throw invalidField(
          'sip_realm',
          t('use POST /Accounts/:sid/sip_realm/:realm to set or change the sip realm'),
        )
      await checkApplications(tx, account_sid, body)
      const { registration_hook, queue_event_hook } = hooks
      const { registration_hook_sid, queue_event_hook_sid } = stored
      const columnsAfter = definedFields({
        ...columns,
        bucket_credential: bucketToStore(ctx.box, scope, bucket, stored.bucket_credential),
        registration_hook_sid: await webhooks.replace(
          tx,
          ctx.schemaHas,
          webhooks.withSid(registration_hook_sid, before?.registration_hook ?? null),
          registration_hook,
        ),
        queue_event_hook_sid: await webhooks.replace(
          tx,
          ctx.schemaHas,
          webhooks.withSid(queue_event_hook_sid, before?.queue_event_hook ?? null),
          queue_event_hook,
        ),
      })
      if (!isEmpty(columnsAfter)) await accounts.update(tx, scope, account_sid, columnsAfter)
      const after = { ...stored, ...columnsAfter }
      const kept = [after.registration_hook_sid, after.queue_event_hook_sid]
      const left = [registration_hook_sid, queue_event_hook_sid].filter((h) => !kept.includes(h))
      await webhooks.prune(tx, ctx.schemaHas, ...left)
      if (scope.role === 'account') await limits.refuseChanges(tx, { account_sid }, quantities)
      else await limits.save(tx, scope, { account_sid }, quantities)
    }
    // in the hosted variant its people may still log in, to pay
    const deactivates = body.is_active === 0 && !ctx.config.page.ENABLE_HOSTED_SYSTEM
    await endingSessions(
      ctx,
      deactivates ? await accounts.userSids(ctx.db, account_sid) : [],
      (tx) => auditedIn(tx, actor, subject, change),
      { lock },
    ).catch(taken)
  },

  async import(input) {
    const { scope, ctx, query } = input
    const provider =
      scope.role === 'service_provider' ? scope.service_provider_sid : query.service_provider_sid
    if (!provider || !(await serviceProviders.find(ctx.db, scope, provider)))
      throw missingField('service_provider_sid')
    return importCsv(input, accountImport(provider))
  },

  export({ query: { service_provider_sid, columns, ...query }, scope, ctx }) {
    const within = service_provider_sid ? { service_provider_sid } : undefined
    const list = accounts.list(ctx, scope, { ...query, page_size: 0 }, within)
    const url = (hook: { url: string } | null) => hook?.url
    return csv(
      columns ?? ACCOUNT_COLUMNS,
      mapped(list.all(ctx.memory.listings), (a) => ({
        ...a,
        registration_hook: url(a.registration_hook),
        queue_event_hook: url(a.queue_event_hook),
      })),
      query,
    )
  },

  async remove({ params: { account_sid }, body, ...actor }) {
    const { scope, ctx } = actor
    await requireVisible(ctx, scope, account_sid)
    await checkDeleter(actor, body.password)
    let realm: string | null = null
    let records: Awaited<ReturnType<typeof recordsOf>> = []
    const subject = { ...auditSubject(ctx, scope, account_sid), isGone: true as const }
    const change = async (tx: Db) => {
      const stored = subject.row()
      if (!stored) throw accountNotFound(scope)
      realm = stored.sip_realm
      records = await recordsOf(tx, account_sid)
      refuseInUse(IN_USE.account, await accountRemoval.usedBy(tx, account_sid))
      await accountRemoval.remove(tx, ctx, scope, stored)
    }
    const sids = await accounts.userSids(ctx.db, account_sid)
    await endingSessions(ctx, sids, (tx) => auditedIn(tx, actor, subject, change), { lock })
    await release(ctx, realm, records)
  },

  async webhookSecret({ params: { account_sid: sid }, query, ...actor }) {
    const { scope, ctx } = actor
    const account = found(await accounts.stored(ctx.db, scope, sid), t('account'))
    if (!query.regenerate) {
      // view-only callers read a mask
      if (!scope.view_only)
        await auditEvent(actor, { action: 'reveal', kind: 'account', sid, subject: account })
      return { webhook_secret: account.webhook_secret }
    }
    const webhook_secret = webhookSecret()
    await audited(actor, auditSubject(ctx, scope, sid), (tx) =>
      accounts.update(tx, scope, sid, { webhook_secret }),
    )
    return { webhook_secret }
  },

  async setWebhookSecret({ params: { account_sid: sid }, body, ...actor }) {
    const { scope, ctx } = actor
    await audited(actor, auditSubject(ctx, scope, sid), async (tx, before) => {
      found(before, t('account'))
      await accounts.update(tx, scope, sid, body)
    })
  },

  async setSipRealm({ params: { account_sid, sip_realm }, ...actor }) {
    const { scope, ctx } = actor
    const stored = await accounts.stored(ctx.db, scope, account_sid)
    if (!stored) throw accountNotFound(scope)
    await setRealm(actor, stored, sip_realm, auditSubject(ctx, scope, account_sid))
  },

  async testBucket({ params: { account_sid }, body, scope, ctx }) {
    const stored = await accounts.stored(ctx.db, scope, account_sid)
    if (!stored) throw accountNotFound(scope)
    const failed = (reason: string) => ({ status: 'failed' as const, reason })
    const sent = BucketCredential.safeParse(body, { error: plainError })
    if (!sent.success) return failed(sent.error.issues[0]!.message)
    if (sent.data.vendor === 'none') return failed(t('Does not support test for none'))
    try {
      const bucket = completeBucket(ctx.box, scope, sent.data, stored.bucket_credential)
      return await testBucket(ctx.outbound, bucket)
    } catch (e) {
      if (e instanceof Failure) return failed(e.message)
      throw e
    }
  },

  async ttsCache({ params: { account_sid }, scope, ctx }) {
    await requireVisible(ctx, scope, account_sid)
    return { size: await ctx.live.count(ttsKeys(account_sid)) }
  },

  async clearTtsCache({ params: { account_sid }, ...actor }) {
    const { scope, ctx } = actor
    await requireVisible(ctx, scope, account_sid)
    await ctx.live.removeAll(ttsKeys(account_sid))
    const subject = { account_sid }
    await auditEvent(actor, { action: 'clear', kind: 'tts_cache', sid: account_sid, subject })
  },

  async charges({ params: { account_sid }, scope, ctx }) {
    await requireVisible(ctx, scope, account_sid)
    return []
  },
}
