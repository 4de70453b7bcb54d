import { randomUUID } from 'node:crypto'
import {
  type api,
  CARRIER_COLUMNS,
  type FileOptions,
  IN_USE,
  MASK,
  type Received,
  savedIssues,
  t,
  voipCarriers,
} from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import { audited, auditedAddition } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { csv } from '../../http/csv.ts'
import { Failure, found, invalid, invalidField, refuseInUse } from '../../http/failure.ts'
import { refuseOverLimit } from '../../http/limits.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { kindOf } from '../../http/used-by.ts'
import { importCsv } from '../../imports/import.ts'
import { chosenBy } from '../../selections/chosen.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import { exportRows } from './export.ts'
import * as carrierGateways from './gateway-queries.ts'
import * as gateways from './gateways.ts'
import { removeMany, selectable, updateMany, usesOfMany } from './many.ts'
import {
  type Input,
  type Owner,
  ownerAfter,
  ownerFor,
  ownerNotFound,
  refuseOtherOwner,
} from './owners.ts'
import * as carriers from './queries.ts'
import * as carrierRows from './readable.ts'
import { mayNotRoute, refuseToAccounts } from './reserved.ts'
import * as smppGateways from './smpp-gateways.ts'
import * as carrierUses from './uses.ts'
import * as carrierViews from './view.ts'

/** Throws 400 unless the default application belongs to the carrier's account. */
async function checkApplication(
  db: Db,
  scope: Scope,
  owner: Owner,
  sid: string | null | undefined,
) {
  if (!sid) return
  if (!owner.account_sid) throw invalidField('application_sid', t('account_sid missing'))
  const application = await applications.find(db, scope, sid)
  if (!application) throw invalidField('application_sid', t('unknown application_sid'))
  if (application.account_sid !== owner.account_sid)
    throw invalidField(
      'application_sid',
      t('application_sid does not exist for specified account_sid'),
    )
}

/** Throws 403 where only admins may set default routing. */
function refuseDefaultRouting({ ctx, scope }: ActorContext) {
  if (mayNotRoute(ctx, scope)) throw new Failure('invalid', t('insufficient privileges'))
}

type Gateways = Pick<Update, 'sip_gateways' | 'smpp_gateways'>

/** Saves the gateways; undefined keeps those of its kind. */
async function saveGateways(
  tx: Db,
  { ctx, scope }: ActorContext,
  sid: string,
  { sip_gateways, smpp_gateways }: Gateways,
) {
  if (sip_gateways) {
    const more = sip_gateways.length - (await carrierGateways.gateways(tx, sid)).length
    await refuseOverLimit(ctx, tx, scope, 'sip_gateways', more)
    await gateways.save(tx, scope, sid, sip_gateways, ctx.config.min_gateway_netmask)
  }
  if (smpp_gateways) await smppGateways.save(tx, ctx.schemaHas, scope, sid, smpp_gateways)
}

type Create = Received<typeof api.voipCarriers.create>['body']
type Update = Received<typeof api.voipCarriers.update>['body']

type ActorContext = Actor & { ctx: Context }

const auditSubject = ({ ctx, scope }: ActorContext, sid: string) => ({
  kind: 'voip_carrier' as const,
  sid,
  view: voipCarriers.view,
  read: (tx: Db) => carrierViews.view({ ...ctx, db: tx }, scope, sid),
})

async function create(actor: ActorContext, body: Create, path: Input = {}) {
  const { ctx, scope } = actor
  refuseToAccounts(ctx, scope)
  const sid = randomUUID()
  refuseOtherOwner(body, path)
  await auditedAddition(actor, auditSubject(actor, sid), async (tx) => {
    const { sip_gateways, smpp_gateways, account_sid, service_provider_sid, ...columns } = body
    const owner = await ownerFor(tx, scope, { account_sid, service_provider_sid, ...path })
    await refuseOverLimit(ctx, tx, scope, 'voip_carriers')
    if (columns.application_sid) refuseDefaultRouting(actor)
    await checkApplication(tx, scope, owner, columns.application_sid)
    const row = await carriers.insert(tx, {
      ...definedFields(columns),
      voip_carrier_sid: sid,
      ...owner,
    })
    // clients that clone a carrier send the sids of its gateways
    await saveGateways(tx, actor, sid, {
      sip_gateways: sip_gateways?.map(({ sip_gateway_sid: _, ...gateway }) => gateway),
      smpp_gateways: smpp_gateways?.map(({ smpp_gateway_sid: _, ...gateway }) => gateway),
    })
    const hasGateways = Boolean(sip_gateways?.length || smpp_gateways?.length)
    return carrierViews.viewOfNew(tx, ctx.schemaHas, row, hasGateways)
  })
  return { sid }
}

async function update(actor: ActorContext, sid: string, body: Update, path: Input = {}) {
  const { ctx, scope } = actor
  refuseToAccounts(ctx, scope)
  await audited(actor, auditSubject(actor, sid), async (tx, before) => {
    if (!before || carriers.isShared(scope, before)) throw ownerNotFound(scope)
    const { sip_gateways: _, smpp_gateways: __, ...stored } = before
    if (await isElsewhere(tx, stored, path, body)) throw ownerNotFound(scope)
    const { service_provider_sid, account_sid, ...rest } = body
    const { sip_gateways, smpp_gateways, ...columns } = definedFields(
      await withoutEmptyLists(tx, ctx, sid, stored, rest),
    )
    // a mask sent back keeps the stored password
    for (const password of carrierRows.PASSWORDS)
      if (columns[password] === MASK) delete columns[password]

    const whole = { ...stored, ...columns, ...definedFields({ sip_gateways, smpp_gateways }) }
    const issues = savedIssues(whole)
    if (issues.length > 0) throw invalid(...issues)

    const requested = { account_sid, service_provider_sid }
    const owner = await ownerAfter(tx, scope, sid, stored, requested)
    const moves = owner !== undefined && 'account_sid' in owner
    const application = columns.application_sid
    if (application !== undefined && application !== stored.application_sid)
      refuseDefaultRouting(actor)
    // the old account's application does not move along
    if (moves && columns.application_sid === undefined) columns.application_sid = null
    if (columns.application_sid)
      await checkApplication(tx, scope, { ...stored, ...owner }, columns.application_sid)

    const change = { ...columns, ...owner }
    if (!isEmpty(change)) await carriers.updateAll(tx, scope, [sid], change)
    await saveGateways(tx, actor, sid, { sip_gateways, smpp_gateways })
  })
}

/**
 * Drops empty gateway lists where none are stored: older clients save a carrier before its gateways, so it
 * must not fail as incomplete.
 */
async function withoutEmptyLists<B extends Update>(
  db: Db,
  { schemaHas }: Context,
  sid: string,
  stored: { trunk_type: string },
  body: B,
): Promise<B> {
  if ((body.trunk_type ?? stored.trunk_type) !== stored.trunk_type) return body
  const { sip_gateways, smpp_gateways } = body
  const sip = sip_gateways?.length === 0 && (await carrierGateways.gateways(db, sid)).length === 0
  const smpp =
    smpp_gateways?.length === 0 &&
    (await carrierGateways.smppGateways(db, schemaHas, sid)).length === 0
  return {
    ...body,
    ...(sip && { sip_gateways: undefined }),
    ...(smpp && { smpp_gateways: undefined }),
  }
}

/** True if a carrier does not belong to the owner in the path. A carrier without an owner is being given to it. */
async function isElsewhere(db: Db, stored: Owner, path: Input, body: Update) {
  if (path.account_sid) return stored.account_sid !== path.account_sid
  if (!path.service_provider_sid) return false
  const provider = await carriers.providerOf(db, stored)
  return (provider ?? body.service_provider_sid) !== path.service_provider_sid
}

async function inProvider(ctx: Context, scope: Scope, sid: string) {
  found(await serviceProviders.find(ctx.db, scope, sid), t('service provider'))
  return { service_provider_sid: sid }
}

async function inAccount(ctx: Context, scope: Scope, sid: string) {
  const account = found(await accounts.findVisible(ctx.db, scope, sid), t('account'))
  return { account_sid: sid, service_provider_sid: account.service_provider_sid }
}

/** Passwords are never exported. */
const file = (db: Db, rows: Parameters<typeof exportRows>[1], options: FileOptions) =>
  csv(CARRIER_COLUMNS, exportRows(db, rows), options)

const fileOfAll = (
  { db, schemaHas, memory }: Context,
  scope: Scope,
  { service_provider_sid, ...filters }: carriers.Filters,
  options: FileOptions,
) =>
  file(
    db,
    carriers.list(db, schemaHas, scope, filters, { service_provider_sid }).all(memory.listings),
    options,
  )

export const voipCarrierRoutes: Handlers<typeof api.voipCarriers> = {
  list: ({ query, scope, ctx }) => carriers.list(ctx.db, ctx.schemaHas, scope, query),

  ofServiceProvider: async ({ params, query, scope, ctx }) =>
    carriers.list(
      ctx.db,
      ctx.schemaHas,
      scope,
      query,
      await inProvider(ctx, scope, params.service_provider_sid),
    ),

  async ofAccount({ params, query, scope, ctx }) {
    const { account_sid: only_account_sid } = await inAccount(ctx, scope, params.account_sid)
    return carriers.list(ctx.db, ctx.schemaHas, scope, query, { only_account_sid })
  },

  view: async ({ params, scope, ctx }) =>
    found(await carrierViews.view(ctx, scope, params.voip_carrier_sid), t('carrier')),

  create: ({ body, ...actor }) => create(actor, body),

  createForServiceProvider: async ({ params, body, ...actor }) =>
    create(actor, body, await inProvider(actor.ctx, actor.scope, params.service_provider_sid)),

  createForAccount: async ({ params, body, ...actor }) =>
    create(actor, body, await inAccount(actor.ctx, actor.scope, params.account_sid)),

  update: ({ params, body, ...actor }) => update(actor, params.voip_carrier_sid, body),

  async updateOfServiceProvider({ params, body, ...actor }) {
    const path = await inProvider(actor.ctx, actor.scope, params.service_provider_sid)
    return update(actor, params.voip_carrier_sid, body, path)
  },

  async updateOfAccount({ params, body, ...actor }) {
    const { account_sid } = await inAccount(actor.ctx, actor.scope, params.account_sid)
    return update(actor, params.voip_carrier_sid, body, { account_sid })
  },

  async import(input) {
    const { scope, ctx, query } = input
    refuseToAccounts(ctx, scope)
    const { service_provider_sid } = query
    if (service_provider_sid) await inProvider(ctx, scope, service_provider_sid)
    const provider = service_provider_sid ?? (await serviceProviders.onlyOne(ctx.db))
    const { carrierImport } = await import('./import.ts')
    return importCsv(input, carrierImport(ctx, scope, provider))
  },

  export: ({ query, scope, ctx }) => fileOfAll(ctx, scope, query, query),

  updateMany: ({ body: { select, ...change }, ...actor }) => updateMany(actor, select, change),

  async exportMany({ body: { select }, query, scope, ctx }) {
    if ('matching' in select) return fileOfAll(ctx, scope, select.matching, query)
    // a missing carrier is reported before the file begins
    const chosen = await chosenBy(ctx.db, scope, selectable(ctx), select)
    const sids = chosen.map((c) => c.voip_carrier_sid)
    return file(ctx.db, carriers.withNames(ctx.db, scope, sids), query)
  },

  usesOfMany: ({ body: { select }, ...caller }) => usesOfMany(caller, select),

  removeMany: ({ body: { select }, ...actor }) => removeMany(actor, select),

  async remove({ params: { voip_carrier_sid: sid }, ...actor }) {
    const { ctx, scope } = actor
    refuseToAccounts(ctx, scope)
    const subject = { ...auditSubject(actor, sid), isGone: true as const }
    await audited(actor, subject, async (tx, before) => {
      if (!before || carriers.isShared(scope, before)) throw ownerNotFound(scope)
      const used = await carrierUses.usedBy(tx, sid)
      const numbers = used.some((u) => u.kind === kindOf('phone_numbers') && u.total > 0)
      refuseInUse(
        numbers ? t('cannot delete voip carrier with active phone numbers') : IN_USE.voip_carrier,
        used,
      )
      await carriers.removeAll(tx, ctx.schemaHas, scope, [sid])
    })
  },
}
