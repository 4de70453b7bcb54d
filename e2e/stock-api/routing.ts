import { crud } from './crud.ts'
import type { Database, Row } from './database.ts'
import { mayReachAccount } from './guards.ts'
import { decrypt, encrypt, obscure } from './secrets.ts'
import {
  type Call,
  created,
  noContent,
  notFound,
  ok,
  paginate,
  type Routes,
  refuse,
  requireKeys,
} from './wire.ts'

/** Numbers, Teams tenants, SIP clients and outbound routing. */

const numbers: Routes = {
  'GET /PhoneNumbers': (call) => {
    const { caller, query } = call
    const conditions: [sql: string, value?: unknown][] = [['1 = 1']]
    const provider = caller.service_provider_sid ?? query.service_provider_sid
    const account = caller.account_sid ?? query.account_sid
    if (provider)
      conditions.push([
        't.account_sid IN (SELECT account_sid FROM accounts WHERE service_provider_sid = ?)',
        provider,
      ])
    if (account) conditions.push(['t.account_sid = ?', account])
    if (query.filter) conditions.push(['t.number LIKE ?', `%${query.filter}%`])
    const where = conditions.map(([sql]) => sql).join(' AND ')
    const values = conditions.flatMap(([, value]) => (value === undefined ? [] : [value]))
    return paginate(call, `FROM phone_numbers t WHERE ${where}`, values, 'ORDER BY t.number')
  },

  'POST /PhoneNumbers': async ({ db, caller, body }) => {
    const sent = { ...body }
    if (!sent.number) refuse(400, 'number is required')
    if (typeof sent.number !== 'string') refuse(400, 'number.startsWith is not a function')
    if (/\s/.test(String(sent.number))) refuse(400, 'number cannot contain whitespace')
    sent.number = String(sent.number).replace(/^\+/, '')
    if (caller.scope === 'account') sent.account_sid = caller.account_sid
    if (caller.scope === 'service_provider') sent.service_provider_sid = caller.service_provider_sid
    if (sent.voip_carrier_sid) {
      const carrier = await db.row('voip_carriers', 'voip_carrier_sid', sent.voip_carrier_sid)
      if (!carrier) return refuse(400, `voip_carrier not found for sid ${sent.voip_carrier_sid}`)
      if (carrier.account_sid && carrier.account_sid !== sent.account_sid)
        refuse(400, 'voip_carrier_sid does not belong to the account')
    }
    return created({ sid: await db.insert('phone_numbers', 'phone_number_sid', sent) })
  },

  'GET /PhoneNumbers/:sid': async (call) => {
    const row = await call.db.row('phone_numbers', 'phone_number_sid', call.params.sid)
    if (!row || (call.caller.scope === 'account' && row.account_sid !== call.caller.account_sid))
      return { status: 404 }
    if (row.account_sid && !(await mayReachAccount(call, row.account_sid)))
      refuse(400, 'insufficient privileges')
    return ok(row)
  },

  'PUT /PhoneNumbers/:sid': async (call) => {
    const { db, body, params } = call
    if (body.voip_carrier_sid) refuse(400, 'voip_carrier_sid may not be modified')
    if (body.number) refuse(400, 'number may not be modified')
    const row = await db.row('phone_numbers', 'phone_number_sid', params.sid)
    if (!row) return notFound
    if (!(await mayReachAccount(call, row.account_sid))) refuse(403, 'insufficient privileges')
    await db.update('phone_numbers', 'phone_number_sid', params.sid, body)
    return noContent
  },

  'DELETE /PhoneNumbers/:sid': async ({ db, caller, params }) => {
    const row = await db.row('phone_numbers', 'phone_number_sid', params.sid)
    if (row && caller.scope === 'account' && row.account_sid !== caller.account_sid)
      refuse(403, 'insufficient privileges')
    return (await db.remove('phone_numbers', 'phone_number_sid', params.sid)) ? noContent : notFound
  },
}

const presentClient = (row: Row) => ({
  ...row,
  password: obscure(row.password === null ? '{}' : decrypt(row.password), 1),
})

const clients: Routes = {
  ...crud('/Clients', {
    table: 'clients',
    primary: 'client_sid',
    required: ['account_sid', 'username'],
    before: async (call, op) => {
      const { caller, body, db } = call
      if (op === 'delete') return
      if (caller.scope === 'account') body.account_sid = caller.account_sid
      if (body.account_sid && !(await mayReachAccount(call, body.account_sid)))
        refuse(403, 'insufficient permissions')
      const [same] = await db.rows(
        'SELECT 1 FROM clients WHERE account_sid = ? AND username = ? AND client_sid <> ?',
        [body.account_sid, body.username, call.params.sid ?? ''],
      )
      if (same) refuse(400, "the client's username already exists")
      if (body.password) body.password = encrypt(String(body.password))
    },
  }),
  'GET /Clients': async ({ db, caller }) => {
    const own = {
      admin: '1 = 1',
      account: 'account_sid = ?',
      service_provider:
        'account_sid IN (SELECT account_sid FROM accounts WHERE service_provider_sid = ?)',
    }
    const rows = await db.rows(`SELECT * FROM clients WHERE ${own[caller.scope]}`, [
      caller.account_sid ?? caller.service_provider_sid,
    ])
    const shown = rows.map(presentClient) as Row[]
    if (caller.scope === 'service_provider')
      for (const row of shown)
        for (const what of ['app', 'queue', 'user']) delete row[`allow_direct_${what}_calling`]
    return ok(shown)
  },
  'GET /Clients/:sid': async (call) => {
    const row = await call.db.row('clients', 'client_sid', call.params.sid)
    return row && (await mayReachAccount(call, row.account_sid)) ? ok(presentClient(row)) : notFound
  },
}

const OWNERS = { account_sid: 'accounts', service_provider_sid: 'service_providers' } as const

/** Allows one routing table per account or provider. */
async function checkSet({ db, caller, body, params }: Call, op: 'add' | 'update') {
  if (caller.scope === 'account') body.account_sid = caller.account_sid
  if (caller.scope === 'service_provider')
    Object.assign(body, {
      service_provider_sid: caller.service_provider_sid,
      ...(op === 'add' && { account_sid: null }),
    })
  if (body.account_sid) body.service_provider_sid = null
  for (const column of ['account_sid', 'service_provider_sid'] as const) {
    if (!body[column]) continue
    const owner = await db.row(OWNERS[column], column, body[column])
    if (!owner) return refuse(400, `unknown ${column}`)
    const [other] = await db.rows('SELECT 1 FROM lcr WHERE ?? = ? AND lcr_sid <> ?', [
      column,
      body[column],
      params.sid ?? '',
    ])
    const already = {
      account_sid: `Account: ${owner.name}  already has an active call routing table.`,
      service_provider_sid: `Service Provider: ${owner.name} already \n      has an active call routing table.`,
    }
    if (other) refuse(400, already[column])
    return
  }
}

const ownSet = ({ caller }: Call, set: Row) =>
  caller.scope === 'admin' ||
  (caller.scope === 'account'
    ? set.account_sid === caller.account_sid
    : set.service_provider_sid === caller.service_provider_sid)

const withCount = async (db: Database, set: Row) => {
  const [count] = await db.rows('SELECT count(*) AS n FROM lcr_routes WHERE lcr_sid = ?', [
    set.lcr_sid,
  ])
  return { ...set, number_routes: count!.n }
}

async function checkRoutes(db: Database, routes: Row[]) {
  for (const { lcr_carrier_set_entries: entries } of routes) {
    if (!Array.isArray(entries) || entries.length === 0)
      refuse(400, 'Lcr Route batch process require lcr_carrier_set_entries')
    for (const entry of entries as Row[]) {
      if (!entry.voip_carrier_sid)
        refuse(400, 'One of lcr_carrier_set_entries is missing voip_carrier_sid')
      if (!(await db.row('voip_carriers', 'voip_carrier_sid', entry.voip_carrier_sid)))
        refuse(400, 'unknown voip_carrier_sid')
    }
  }
}

/** No transaction. Every other field is written to the column of its name. */
async function addRoute(db: Database, lcr_sid: string, route: Row) {
  const { lcr_carrier_set_entries, lcr_route_sid: _, ...columns } = route
  const sid = await db.insert('lcr_routes', 'lcr_route_sid', { ...columns, lcr_sid })
  for (const entry of lcr_carrier_set_entries as Row[]) {
    const row = { ...entry, lcr_route_sid: sid }
    const entrySid = await db.insert('lcr_carrier_set_entry', 'lcr_carrier_set_entry_sid', row)
    if (route.priority === 9999)
      await db.update('lcr', 'lcr_sid', lcr_sid, { default_carrier_set_entry_sid: entrySid })
  }
}

const batch = (change: boolean) => async (call: Call) => {
  const { db, params, items } = call
  if (!(await db.row('lcr', 'lcr_sid', params.sid))) return notFound
  if (!items) return refuse(500, 'body is not iterable')
  await checkRoutes(db, items)
  for (const route of items) {
    const { lcr_carrier_set_entries, lcr_route_sid, ...columns } = route
    if (!change || !lcr_route_sid) {
      await addRoute(db, params.sid!, route)
      continue
    }
    const row = { ...columns, lcr_sid: params.sid }
    await db.update('lcr_routes', 'lcr_route_sid', lcr_route_sid, row)
    // an entry without a sid updates nothing and reports no error
    for (const {
      lcr_carrier_set_entry_sid: sid = '',
      ...entry
    } of lcr_carrier_set_entries as Row[])
      await db.update('lcr_carrier_set_entry', 'lcr_carrier_set_entry_sid', sid, entry)
  }
  return noContent
}

const entriesOf = (db: Database, route: unknown) =>
  db.rows('SELECT * FROM lcr_carrier_set_entry WHERE lcr_route_sid = ? ORDER BY priority', [route])

const lcrs: Routes = {
  'GET /Lcrs': async (call) => {
    const rows = (await call.db.rows('SELECT * FROM lcr')).filter((set) => ownSet(call, set))
    return ok(await Promise.all(rows.map((set) => withCount(call.db, set))))
  },
  'POST /Lcrs': async (call) => {
    await checkSet(call, 'add')
    requireKeys(call.body, 'name')
    return created({ sid: await call.db.insert('lcr', 'lcr_sid', call.body) })
  },
  'GET /Lcrs/:sid': async (call) => {
    const set = await call.db.row('lcr', 'lcr_sid', call.params.sid)
    return set && ownSet(call, set) ? ok(await withCount(call.db, set)) : notFound
  },
  'PUT /Lcrs/:sid': async (call) => {
    const set = await call.db.row('lcr', 'lcr_sid', call.params.sid)
    if (!set || !ownSet(call, set)) refuse(400, 'unknown lcr_sid')
    await checkSet(call, 'update')
    await call.db.update('lcr', 'lcr_sid', call.params.sid, call.body)
    return noContent
  },
  'DELETE /Lcrs/:sid': async (call) => {
    const { db, caller, params } = call
    const set = await db.row('lcr', 'lcr_sid', params.sid)
    if (caller.scope === 'account' && (!set || !ownSet(call, set))) refuse(400, 'unknown lcr_sid')
    await db.update('lcr', 'lcr_sid', params.sid, { default_carrier_set_entry_sid: null })
    for (const route of await db.rows('SELECT * FROM lcr_routes WHERE lcr_sid = ?', [params.sid]))
      await db.remove('lcr_carrier_set_entry', 'lcr_route_sid', route.lcr_route_sid)
    await db.remove('lcr_routes', 'lcr_sid', params.sid)
    return (await db.remove('lcr', 'lcr_sid', params.sid)) ? noContent : notFound
  },
  'POST /Lcrs/:sid/Routes': batch(false),
  'PUT /Lcrs/:sid/Routes': batch(true),
  ...crud('/LcrRoutes', {
    table: 'lcr_routes',
    primary: 'lcr_route_sid',
    before: async ({ db, body, params }, op) => {
      if (op === 'add' && !body.lcr_sid) refuse(400, 'missing parameter lcr_sid')
      if (body.lcr_sid && !(await db.row('lcr', 'lcr_sid', body.lcr_sid)))
        refuse(400, 'unknown lcr_sid')
      if (op === 'delete') await db.remove('lcr_carrier_set_entry', 'lcr_route_sid', params.sid)
    },
  }),
  'GET /LcrRoutes': async (call) => {
    const { db, query, caller } = call
    if (!query.lcr_sid) refuse(400, 'missing lcr_sid')
    const set = await db.row('lcr', 'lcr_sid', query.lcr_sid)
    if (caller.scope !== 'admin' && (!set || !ownSet(call, set))) refuse(400, 'unknown lcr_sid')
    const routes = await db.rows('SELECT * FROM lcr_routes WHERE lcr_sid = ? ORDER BY priority', [
      query.lcr_sid,
    ])
    for (const route of routes)
      route.lcr_carrier_set_entries = await entriesOf(db, route.lcr_route_sid)
    return ok(routes)
  },
  ...crud('/LcrCarrierSetEntries', {
    table: 'lcr_carrier_set_entry',
    primary: 'lcr_carrier_set_entry_sid',
    before: async ({ db, body }, op) => {
      const parents = { lcr_route_sid: 'lcr_routes', voip_carrier_sid: 'voip_carriers' }
      for (const [column, table] of Object.entries(parents)) {
        if (op === 'add' && !body[column]) refuse(400, `missing ${column}`)
        if (body[column] && !(await db.row(table, column, body[column])))
          refuse(400, `unknown ${column}`)
      }
    },
  }),
  'GET /LcrCarrierSetEntries': async ({ db, query }) =>
    ok(await entriesOf(db, query.lcr_route_sid)),
}

const tenants = crud('/MicrosoftTeamsTenants', {
  table: 'ms_teams_tenants',
  primary: 'ms_teams_tenant_sid',
  required: ['service_provider_sid', 'account_sid', 'tenant_fqdn'],
})

export const routing: Routes = { ...numbers, ...clients, ...lcrs, ...tenants }
