import { randomUUID } from 'node:crypto'
import {
  type api,
  DEFAULT_CARRIER_REQUIRED,
  type Received,
  UNKNOWN_ACCOUNT,
} from '@switchroom/contract'
import { sql } from 'kysely'
import * as accounts from '../accounts/queries.ts'
import { changing } from '../changes/changing.ts'
import { given, isEmpty } from '../db/given.ts'
import type { Db } from '../db/open.ts'
import { Failure, found, invalidField } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import * as tables from './queries.ts'
import {
  changingPart,
  checkCarriers,
  type Owner,
  saveBatch,
  saveDefault,
  saveRoutes,
  saving,
  thing,
} from './tables.ts'

const absent = () => new Failure('not_found', 'No such outbound routing table')
const unknown = () => invalidField('lcr_sid', 'unknown lcr_sid')

type Asked = {
  account_sid?: string | null | undefined
  service_provider_sid?: string | null | undefined
}
type Named = Owner & { name: string | null }

/** Whose a table is to be. An administrator's may be nobody's; no call is routed by it then. */
async function ownerFor(db: Db, scope: Scope, asked: Asked): Promise<Named> {
  const own = scope.role === 'account' ? scope.account_sid : null
  const account_sid = asked.account_sid || own
  if (account_sid) {
    const account = await accounts.stored(db, scope, account_sid)
    if (!account) throw invalidField('account_sid', UNKNOWN_ACCOUNT)
    // clients name the account's provider as well, which is not stored beside it
    const { service_provider_sid: provider } = asked
    if (provider && provider !== account.service_provider_sid)
      throw invalidField('service_provider_sid', 'unknown service_provider_sid')
    return { account_sid, service_provider_sid: null, name: account.name }
  }
  const provider_sid =
    asked.service_provider_sid ||
    (scope.role === 'service_provider' ? scope.service_provider_sid : undefined)
  if (!provider_sid) return { account_sid: null, service_provider_sid: null, name: null }
  const provider = await serviceProviders.find(db, scope, provider_sid)
  if (!provider) throw invalidField('service_provider_sid', 'unknown service_provider_sid')
  return { account_sid: null, service_provider_sid: provider_sid, name: provider.name }
}

/** The platform takes any one where there are two, so there is one. Its clients know these sentences. */
async function refuseSecond(db: Db, owner: Named, but: string) {
  const { account_sid, service_provider_sid, name } = owner
  if (!account_sid && !service_provider_sid) return
  if (!(await tables.hasAnother(db, owner, but))) return
  throw account_sid
    ? invalidField('account_sid', `Account: ${name}  already has an active call routing table.`)
    : invalidField(
        'service_provider_sid',
        `Service Provider: ${name} already \n      has an active call routing table.`,
      )
}

type Update = Received<typeof api.lcrs.update>['body']
const columnsOf = ({ name, is_active }: Update) => given({ name, is_active })

export const lcrTableRoutes: Handlers<typeof api.lcrs> = {
  list: ({ query, scope, ctx }) => tables.list(ctx.db, scope, query),

  view: async ({ params, scope, ctx }) =>
    found(await tables.view(ctx.db, scope, params.lcr_sid), 'outbound routing table'),

  async create({ body, ...who }) {
    const { scope } = who
    const { routes, default_carrier } = body
    const sid = randomUUID()
    await changing(who, { ...thing(scope, sid), isNew: true }, async (tx) => {
      const { name: _, ...owner } = await newOwner(tx, scope, body, sid)
      if (body.default_carrier_set_entry_sid)
        throw invalidField('default_carrier_set_entry_sid', 'unknown lcr_carrier_set_entry')
      await tables.insert(tx, { lcr_sid: sid, ...columnsOf(body), ...owner })
      const start = await saving(tx, scope, { lcr_sid: sid, ...owner })
      if (routes) await saveRoutes(start, routes, { at: ['routes'], whole: true })
      if (default_carrier) await saveDefault(start, default_carrier, ['default_carrier'])
    })
    return { sid }
  },

  async update({ params: { lcr_sid: sid }, body, ...who }) {
    const { scope } = who
    const { routes, default_carrier, default_carrier_set_entry_sid: entry } = body
    await changing(who, thing(scope, sid), async (tx, stored) => {
      if (!stored) throw unknown()
      const start = await saving(tx, scope, stored)
      const entries = start.stored.flatMap((r) => r.lcr_carrier_set_entries)
      if (entry && !entries.some((e) => e.lcr_carrier_set_entry_sid === entry))
        throw invalidField('default_carrier_set_entry_sid', 'unknown lcr_carrier_set_entry')
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

  async remove({ params: { lcr_sid: sid }, ...who }) {
    await changing(who, thing(who.scope, sid), async (tx, before) => {
      if (!before) throw who.scope.role === 'account' ? unknown() : absent()
      await tables.removeAll(tx, sql`lcr_sid = ${sid}`)
    })
  },

  async addRoutes({ params, body, ...who }) {
    // sids of another table's routes mean nothing here
    const routes = body.map(({ lcr_route_sid: _, ...route }) => route)
    await changingPart(who, params.lcr_sid, absent, (tx, table) =>
      saveBatch(tx, who.scope, table, routes),
    )
  },

  async saveRoutes({ params, body, ...who }) {
    await changingPart(who, params.lcr_sid, absent, (tx, table) =>
      saveBatch(tx, who.scope, table, body),
    )
  },
}

async function newOwner(db: Db, scope: Scope, asked: Asked, sid: string) {
  const owner = await ownerFor(db, scope, asked)
  await refuseSecond(db, owner, sid)
  return owner
}

/** The new owner, where it is to be another one. */
async function ownerAfter(
  db: Db,
  scope: Scope,
  stored: Owner & { lcr_sid: string },
  asked: Asked,
): Promise<Owner | undefined> {
  const { account_sid = stored.account_sid } = asked
  // an account brings its provider along
  const kept = account_sid ? undefined : stored.service_provider_sid
  const { service_provider_sid = kept } = asked
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

/** What a table brings along to another owner must be usable there. */
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
