import { randomUUID } from 'node:crypto'
import {
  type api,
  CLIENT_COLUMNS,
  type CLIENT_FILE_COLUMNS,
  type ClientItem,
  clients as contract,
  type FileOptions,
  type LatestCalls,
  MASK,
  t,
  USERNAME_FIXED,
  USERNAME_TAKEN,
} from '@switchroom/contract'
import { audited, auditedAddition } from '../../audit/audited.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { csv, mapped } from '../../http/csv.ts'
import { found, invalidField, missingField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { importCsv } from '../../imports/import.ts'
import { chosenBy } from '../../selections/chosen.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import { clientImport } from './import.ts'
import { removeMany, selectable, updateMany } from './many.ts'
import * as clients from './queries.ts'

/** No unique key covers account and username, so writers queue. */
const lock = 'clients'

async function refuseTaken(db: Db, account_sid: string, username: string) {
  if (await clients.isTaken(db, account_sid, username))
    throw invalidField('username', USERNAME_TAKEN)
}

/** Encrypts the password. A mask sent back keeps the stored one. */
const sealPassword = ({ box }: Context, password: string | null | undefined) =>
  password === MASK ? undefined : password && box.seal(password)

const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'client' as const,
  sid,
  lock,
  view: contract.view,
  read: async (tx: Db) => {
    const row = await clients.find(tx, scope, sid)
    return row && clients.compared(row)
  },
})

type Columns = readonly (typeof CLIENT_FILE_COLUMNS)[number][]
/** Passwords are never exported. */
type Written = FileOptions & { columns?: Columns | undefined }
const file = (
  rows: AsyncIterable<(Omit<ClientItem, keyof LatestCalls> & Partial<LatestCalls>)[]>,
  { columns = CLIENT_COLUMNS, ...options }: Written,
) =>
  csv(
    columns,
    mapped(rows, ({ account_name, ...client }) => ({
      ...client,
      account: account_name,
      password: '',
    })),
    options,
  )

export const clientRoutes: Handlers<typeof api.clients> = {
  list: ({ query, scope, ctx }) => clients.list(ctx.db, scope, query),

  async ofServiceProvider({ params: { service_provider_sid }, query, scope, ctx }) {
    found(await serviceProviders.find(ctx.db, scope, service_provider_sid), t('service provider'))
    return clients.list(ctx.db, scope, { ...query, service_provider_sid })
  },

  async ofAccount({ params: { account_sid }, query, scope, ctx }) {
    found(await accounts.findVisible(ctx.db, scope, account_sid), t('account'))
    return clients.list(ctx.db, scope, { ...query, account_sid })
  },

  view: async ({ params, scope, ctx }) =>
    clients.readable(found(await clients.find(ctx.db, scope, params.client_sid), t('client'))),

  async create({ body, ...actor }) {
    const { scope, ctx } = actor
    const sid = randomUUID()
    await auditedAddition(actor, auditSubject(scope, sid), async (tx) => {
      const owner = await accounts.ownerOf(tx, scope, body.account_sid)
      if (!owner) throw missingField('account_sid')
      await refuseTaken(tx, owner.account_sid, body.username)
      const row = await clients.insert(tx, {
        ...body,
        client_sid: sid,
        account_sid: owner.account_sid,
        password: sealPassword(ctx, body.password) ?? null,
      })
      return clients.compared(row)
    })
    return { sid }
  },

  async update({ params: { client_sid: sid }, body, ...actor }) {
    const { scope, ctx } = actor
    await audited(actor, auditSubject(scope, sid), async (tx, before) => {
      const stored = found(before, t('client'))
      const { account_sid, username, ...rest } = body
      if (username && username !== stored.username)
        throw invalidField('username', USERNAME_FIXED, t('username may not be modified'))
      const owner = account_sid ? await accounts.owned(tx, scope, account_sid) : stored
      const moves = owner.account_sid !== stored.account_sid
      if (moves) await refuseTaken(tx, owner.account_sid, stored.username)
      const change = definedFields({
        ...rest,
        password: sealPassword(ctx, body.password),
        ...(moves && { account_sid: owner.account_sid }),
      })
      if (!isEmpty(change)) await clients.updateAll(tx, scope, [sid], change)
    })
  },

  import: (input) =>
    importCsv(input, clientImport(input.ctx.box, input.scope, input.query.service_provider_sid)),

  export: ({ query, scope, ctx }) =>
    file(clients.list(ctx.db, scope, query).all(ctx.memory.listings), query),

  updateMany: ({ body: { select, ...change }, ...actor }) => updateMany(actor, select, change),

  async exportMany({ body: { select }, query, scope, ctx }) {
    if ('matching' in select)
      return file(clients.list(ctx.db, scope, select.matching).all(ctx.memory.listings), query)
    // a missing client is told before the file begins
    const chosen = await chosenBy(ctx.db, scope, selectable, select)
    const sids = chosen.map((c) => c.client_sid)
    return file(clients.named(ctx.db, scope, sids), query)
  },

  removeMany: ({ body: { select }, ...actor }) => removeMany(actor, select),

  async remove({ params: { client_sid: sid }, ...actor }) {
    const subject = { ...auditSubject(actor.scope, sid), isGone: true as const }
    await audited(actor, subject, async (tx, before) => {
      found(before, t('client'))
      await clients.removeAll(tx, actor.scope, [sid])
    })
  },
}
