import { randomUUID } from 'node:crypto'
import {
  type api,
  DEFAULT_CARRIER_REQUIRED,
  type LcrView,
  type Received,
  ROUTE_COLUMNS,
  t,
  UNKNOWN_ACCOUNT,
} from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import { csv } from '../../http/csv.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { importCsv } from '../../imports/import.ts'
import { namedBy } from '../../imports/names.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import * as tables from './queries.ts'
import {
  auditSubject,
  changingPart,
  checkCarriers,
  type Owner,
  saveBatch,
  saveDefault,
  saveRoutes,
  saving,
} from './tables.ts'

const notFound = () => new Failure('not_found', t('No such routing table'))
const unknown = () => invalidField('lcr_sid', t('unknown lcr_sid'))

type Input = {
  account_sid?: string | null | undefined
  service_provider_sid?: string | null | undefined
}
type Named = Owner & { name: string | null }

/** The owner of a table. An admin's table may have none; no call is routed by it then. */
async function ownerFor(db: Db, scope: Scope, input: Input): Promise<Named> {
  const own = scope.role === 'account' ? scope.account_sid : null
  const account_sid = input.account_sid || own
  if (account_sid) {
    const account = await accounts.stored(db, scope, account_sid)
    if (!account) throw invalidField('account_sid', UNKNOWN_ACCOUNT)
    // clients also send the account's provider, which is not stored next to an account
    const { service_provider_sid: provider } = input
    if (provider && provider !== account.service_provider_sid)
      throw invalidField('service_provider_sid', t('unknown service_provider_sid'))
    return { account_sid, service_provider_sid: null, name: account.name }
  }
  const provider_sid =
    input.service_provider_sid ||
    (scope.role === 'service_provider' ? scope.service_provider_sid : undefined)
  if (!provider_sid) return { account_sid: null, service_provider_sid: null, name: null }
  const provider = await serviceProviders.find(db, scope, provider_sid)
  if (!provider) throw invalidField('service_provider_sid', t('unknown service_provider_sid'))
  return { account_sid: null, service_provider_sid: provider_sid, name: provider.name }
}

/**
 * Throws when the owner already has a table, since the platform would use either one. Clients know these
 * messages.
 */
async function refuseSecond(db: Db, owner: Named, but: string) {
  const { account_sid, service_provider_sid, name } = owner
  if (!account_sid && !service_provider_sid) return
  if (!(await tables.hasAnother(db, owner, but))) return
  throw account_sid
    ? invalidField(
        'account_sid',
        t('Account: {name}  already has an active call routing table.', { name }),
      )
    : invalidField(
        'service_provider_sid',
        t('This service provider has an active routing table already'),
        `Service Provider: ${name} already \n      has an active call routing table.`,
      )
}

type Update = Received<typeof api.lcrs.update>['body']
const columnsOf = ({ name, is_active }: Update) => definedFields({ name, is_active })

export const lcrTableRoutes: Handlers<typeof api.lcrs> = {
  list: ({ query, scope, ctx }) => tables.list(ctx.db, scope, query),

  view: async ({ params, scope, ctx }) =>
    found(await tables.view(ctx.db, scope, params.lcr_sid), t('outbound routing table')),

  async create({ body, ...actor }) {
    const { scope } = actor
    const { default_carrier } = body
    // clients that clone a table send the sids of its routes
    const routes = body.routes?.map(({ lcr_route_sid: _, ...route }) => ({
      ...route,
      lcr_carrier_set_entries: route.lcr_carrier_set_entries.map(
        ({ lcr_carrier_set_entry_sid: _, ...entry }) => entry,
      ),
    }))
    const sid = randomUUID()
    await audited(actor, { ...auditSubject(scope, sid), isNew: true }, async (tx) => {
      const { name: _, ...owner } = await newOwner(tx, scope, body, sid)
      if (body.default_carrier_set_entry_sid && !default_carrier)
        throw invalidField('default_carrier_set_entry_sid', t('unknown lcr_carrier_set_entry'))
      await tables.insert(tx, { lcr_sid: sid, ...columnsOf(body), ...owner })
      const start = await saving(tx, scope, { lcr_sid: sid, ...owner })
      if (routes) await saveRoutes(start, routes, { at: ['routes'], whole: true })
      if (default_carrier) await saveDefault(start, default_carrier, ['default_carrier'])
    })
    return { sid }
  },

  async update({ params: { lcr_sid: sid }, body, ...actor }) {
    const { scope } = actor
    const { routes, default_carrier, default_carrier_set_entry_sid: entry } = body
    await audited(actor, auditSubject(scope, sid), async (tx, stored) => {
      if (!stored) throw unknown()
      const start = await saving(tx, scope, stored)
      const entries = start.stored.flatMap((r) => r.lcr_carrier_set_entries)
      if (entry && !entries.some((e) => e.lcr_carrier_set_entry_sid === entry))
        throw invalidField('default_carrier_set_entry_sid', t('unknown lcr_carrier_set_entry'))
      const takesAway = default_carrier === null && stored.default_carrier !== null
      const lacksOne = routes && routes.length > 0 && !default_carrier && !stored.default_carrier
      if (takesAway || lacksOne) throw invalidField('default_carrier', DEFAULT_CARRIER_REQUIRED)

      const owner = await ownerAfter(tx, scope, stored, body)
      const change = {
        ...columnsOf(body),
        ...owner,
        ...(entry && { default_carrier_set_entry_sid: entry }),
      }
      if (!isEmpty(change)) await tables.update(tx, sid, change)

      const now = await saving(tx, scope, { ...stored, ...change })
      if (routes) await saveRoutes(now, routes, { at: ['routes'], whole: true })
      if (default_carrier) await saveDefault(now, default_carrier, ['default_carrier'])
      if (owner) await checkStored(tx, scope, now.owner, sid)
    })
  },

  async remove({ params: { lcr_sid: sid }, ...actor }) {
    await audited(actor, auditSubject(actor.scope, sid), async (tx, before) => {
      if (!before) throw actor.scope.role === 'account' ? unknown() : notFound()
      await tables.remove(tx, actor.scope, sid)
    })
  },

  async addRoutes({ params, body, ...actor }) {
    // route sids of another table have no meaning here
    const routes = body.map(({ lcr_route_sid: _, ...route }) => route)
    await changingPart(actor, params.lcr_sid, notFound, (tx, table) =>
      saveBatch(tx, actor.scope, table, routes),
    )
  },

  async importRoutes(input) {
    const { scope, ctx, params } = input
    const table = await tables.view(ctx.db, scope, params.lcr_sid)
    if (!table) throw notFound()
    if (!table.default_carrier) throw invalidField('default_carrier', DEFAULT_CARRIER_REQUIRED)
    const { routeImport } = await import('./import.ts')
    return importCsv(input, routeImport(scope, params.lcr_sid))
  },

  async exportRoutes({ params, query, scope, ctx }) {
    const table = await tables.view(ctx.db, scope, params.lcr_sid)
    if (!table) throw notFound()
    return csv(ROUTE_COLUMNS, exportRows(ctx.db, table), query)
  },

  async saveRoutes({ params, body, ...actor }) {
    await changingPart(actor, params.lcr_sid, notFound, (tx, table) =>
      saveBatch(tx, actor.scope, table, body),
    )
  },
}

/** A row for each carrier of each route, in order. */
async function* exportRows(db: Db, { routes }: LcrView) {
  const all = routes.flatMap((r) => r.lcr_carrier_set_entries.map((e) => e.voip_carrier_sid))
  const names = await namedBy(db, 'voip_carriers', all)
  yield routes.flatMap(({ regex: pattern, description, priority, lcr_carrier_set_entries }) =>
    lcr_carrier_set_entries.map(({ voip_carrier_sid, workload }) => ({
      pattern,
      description,
      priority,
      carrier: names(voip_carrier_sid).find((c) => c.sid === voip_carrier_sid)?.name,
      workload,
    })),
  )
}

async function newOwner(db: Db, scope: Scope, input: Input, sid: string) {
  const owner = await ownerFor(db, scope, input)
  await refuseSecond(db, owner, sid)
  return owner
}

/** The new owner, if the request changes it. */
async function ownerAfter(
  db: Db,
  scope: Scope,
  stored: Owner & { lcr_sid: string },
  input: Input,
): Promise<Owner | undefined> {
  const { account_sid = stored.account_sid } = input
  // an account implies its provider
  const kept = account_sid ? undefined : stored.service_provider_sid
  const { service_provider_sid = kept } = input
  const { name: _, ...owner } = await newOwner(
    db,
    scope,
    { account_sid, service_provider_sid },
    stored.lcr_sid,
  )
  const moves =
    owner.account_sid !== stored.account_sid ||
    owner.service_provider_sid !== stored.service_provider_sid
  return moves ? owner : undefined
}

/** Throws 400 unless the new owner may use the table's carriers. */
const checkStored = async (db: Db, scope: Scope, owner: Owner, lcr_sid: string) =>
  checkCarriers(
    db,
    scope,
    owner,
    (await tables.routes(db, lcr_sid)).flatMap((r) =>
      r.lcr_carrier_set_entries.map((e) => ({
        path: ['account_sid'],
        sid: e.voip_carrier_sid,
      })),
    ),
  )
