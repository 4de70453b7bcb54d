import { isIPv4 } from 'node:net'
import { crud } from './crud.ts'
import type { Database, Row } from './database.ts'
import {
  checkAccount,
  checkProviderRead,
  checkProviderWrite,
  guardAccount,
  guardProvider,
} from './guards.ts'
import {
  type Call,
  checkUuid,
  created,
  noContent,
  notFound,
  ok,
  paginate,
  type Routes,
  refuse,
  requireKeys,
} from './wire.ts'

const PRIMARY = 'voip_carrier_sid'

const presentCarrier = (row: Row) => ({
  ...row,
  register_status: JSON.parse(String(row.register_status ?? '{}')),
})

/** Filters by `name` and `account_sid` only. */
function list(call: Call, provider: string | null | undefined, account: string | null | undefined) {
  const conditions: [sql: string, ...values: unknown[]][] = [['1 = 1']]
  if (provider) conditions.push(['t.service_provider_sid = ?', provider])
  if (account)
    conditions.push(
      provider
        ? ['(t.account_sid = ? OR t.account_sid IS NULL)', account]
        : ['t.account_sid = ?', account],
    )
  if (call.query.name) conditions.push(['t.name LIKE ?', `%${call.query.name}%`])
  const where = conditions.map(([sql]) => sql).join(' AND ')
  const values = conditions.flatMap(([, ...v]) => v)
  return paginate(call, `FROM voip_carriers t WHERE ${where}`, values, '', presentCarrier)
}

const HOST = /^(?!sips?:)[^\s]+\.[^\s]+$/

/** Used by `/VoipCarriers` only. The routes below accounts and providers validate nothing. */
async function check(db: Database, body: Row, before: Row = {}) {
  if (body.application_sid) {
    if (!body.account_sid) refuse(400, 'account_sid missing')
    const application = await db.row('applications', 'application_sid', body.application_sid)
    if (!application) return refuse(400, 'unknown application_sid')
    if (application.account_sid !== body.account_sid)
      refuse(400, 'application_sid does not exist for specified account_sid')
  }
  if (body.account_sid && !(await db.row('accounts', 'account_sid', body.account_sid)))
    refuse(400, 'unknown account_sid')
  const all = { ...before, ...body }
  if (all.requires_register && !all.register_username)
    refuse(400, 'register_username is required when requires_register is true')
  if (/\s/.test(String(all.register_username ?? '')))
    refuse(400, 'register_username must not contain whitespace')
  if (all.requires_register && !all.register_password)
    refuse(400, 'register_password is required when requires_register is true')
  if (body.register_sip_realm === '')
    refuse(400, 'register_sip_realm must not be empty string; use null to fall back to gateway IP')
  if (body.register_sip_realm && !HOST.test(String(body.register_sip_realm)))
    refuse(
      400,
      'register_sip_realm must be a valid domain or IP address (no sip: prefix, no spaces)',
    )
  if (body.register_from_domain && !HOST.test(String(body.register_from_domain)))
    refuse(
      400,
      'register_from_domain must be a valid domain or IP address (no sip: prefix, no spaces)',
    )
}

const add = async (db: Database, body: Row) =>
  created({ sid: await db.insert('voip_carriers', PRIMARY, body) })
const change = async (db: Database, sid: unknown, body: Row) =>
  (await db.update('voip_carriers', PRIMARY, sid, body)) ? noContent : notFound

export const carriers: Routes = {
  'GET /VoipCarriers': (call) =>
    list(call, call.caller.service_provider_sid, call.caller.account_sid ?? call.query.account_sid),
  'POST /VoipCarriers': async ({ db, caller, body }) => {
    const sent = caller.account_sid ? { ...body, account_sid: caller.account_sid } : body
    await check(db, sent)
    requireKeys(sent, 'name')
    return add(db, sent)
  },
  'GET /VoipCarriers/:sid': async ({ db, caller, params }) => {
    checkUuid(params.sid!)
    const row = await db.row('voip_carriers', PRIMARY, params.sid)
    if (!row) return { status: 404 }
    const own =
      caller.scope === 'account'
        ? row.account_sid === caller.account_sid
        : row.service_provider_sid === caller.service_provider_sid
    if (caller.scope !== 'admin' && !own) refuse(400, 'insufficient privileges')
    return ok(presentCarrier(row))
  },
  'PUT /VoipCarriers/:sid': async ({ db, caller, body, params }) => {
    const row = await db.row('voip_carriers', PRIMARY, params.sid)
    if (row && caller.scope === 'account' && row.account_sid !== caller.account_sid)
      refuse(422, 'carrier belongs to a different user')
    const sent = caller.account_sid ? { ...body, account_sid: caller.account_sid } : body
    await check(db, sent, row)
    return change(db, params.sid, sent)
  },
  'DELETE /VoipCarriers/:sid': async ({ db, caller, params: { sid } }) => {
    const row = await db.row('voip_carriers', PRIMARY, sid)
    if (caller.scope === 'account' && row?.account_sid !== caller.account_sid)
      refuse(422, 'carrier belongs to a different user')
    if (await db.row('phone_numbers', PRIMARY, sid))
      refuse(422, 'cannot delete voip carrier with active phone numbers')
    // gateways are deleted even if deleting the carrier then fails
    for (const table of ['sip_gateways', 'smpp_gateways']) await db.remove(table, PRIMARY, sid)
    return (await db.remove('voip_carriers', PRIMARY, sid)) ? noContent : notFound
  },

  'GET /ServiceProviders/:sid/VoipCarriers': async (call) => {
    await checkProviderRead(call)
    return list(call, call.params.sid, call.caller.account_sid ?? call.query.account_sid)
  },
  'POST /ServiceProviders/:sid/VoipCarriers': (call) => {
    checkProviderWrite(call)
    return add(call.db, { ...call.body, service_provider_sid: call.params.sid })
  },
  'PUT /ServiceProviders/:sid/VoipCarriers/:carrier': (call) => {
    checkProviderWrite(call)
    checkUuid(call.params.carrier!)
    return change(call.db, call.params.carrier, call.body)
  },
  'GET /Accounts/:sid/VoipCarriers': async (call) => {
    await checkAccount(call)
    const { sid } = call.params
    const rows = await call.db.rows('SELECT * FROM voip_carriers WHERE account_sid = ?', [sid])
    return ok(rows.map(presentCarrier))
  },
  'POST /Accounts/:sid/VoipCarriers': async (call) => {
    await checkAccount(call)
    if (call.caller.scope !== 'account')
      refuse(500, "Cannot read properties of undefined (reading 'service_provider_sid')")
    const account = await call.db.row('accounts', 'account_sid', call.caller.account_sid)
    return add(call.db, {
      account_sid: call.params.sid,
      ...call.body,
      service_provider_sid: account!.service_provider_sid,
    })
  },
  'PUT /Accounts/:sid/VoipCarriers/:carrier': async (call) => {
    await checkAccount(call)
    checkUuid(call.params.carrier!)
    return change(call.db, call.params.carrier, call.body)
  },

  'GET /PredefinedCarriers': async ({ db }) =>
    ok(await db.rows('SELECT * FROM predefined_carriers')),
  'POST /Accounts/:sid/PredefinedCarriers/:template': async (call) => {
    await guardAccount(call)
    return fromTemplate(call)
  },
  'POST /ServiceProviders/:sid/PredefinedCarriers/:template': (call) => {
    guardProvider(call)
    return fromTemplate(call, call.params.sid)
  },
}

async function fromTemplate({ db, caller, params }: Call, provider?: string) {
  const template = await db.row('predefined_carriers', 'predefined_carrier_sid', params.template)
  if (!template) return notFound
  const { predefined_carrier_sid, requires_static_ip: _, ...columns } = template
  // a carrier added by an administrator through an account's path has no owner
  const owners = {
    account_sid: caller.account_sid,
    service_provider_sid: provider ?? caller.service_provider_sid,
  }
  const voip_carrier_sid = await db.insert('voip_carriers', PRIMARY, { ...columns, ...owners })
  for (const kind of ['sip', 'smpp']) {
    const gateways = await db.rows('SELECT * FROM ?? WHERE predefined_carrier_sid = ?', [
      `predefined_${kind}_gateways`,
      predefined_carrier_sid,
    ])
    for (const gateway of gateways) {
      delete gateway[`predefined_${kind}_gateway_sid`]
      delete gateway.predefined_carrier_sid
      await db.insert(`${kind}_gateways`, `${kind}_gateway_sid`, { ...gateway, voip_carrier_sid })
    }
  }
  return created({ sid: voip_carrier_sid })
}

/** Access to a carrier includes its gateways. */
async function checkCarrier({ db, caller }: Call, sid: unknown, op: 'read' | 'write') {
  const carrier = await db.row('voip_carriers', PRIMARY, sid)
  if (caller.scope === 'admin') return
  if (!carrier) return refuse(400, 'invalid voip_carrier_sid')
  const own =
    caller.scope === 'account'
      ? carrier.account_sid === caller.account_sid || (op === 'read' && !carrier.account_sid)
      : carrier.service_provider_sid === caller.service_provider_sid
  if (!own) refuse(403, 'insufficient privileges')
}

const gatewayRoutes = (kind: 'sip' | 'smpp', path: string): Routes => {
  const [table, primary] = [`${kind}_gateways`, `${kind}_gateway_sid`]
  return {
    ...crud(path, {
      table,
      primary,
      required: ['ipv4', PRIMARY],
      before: async (call, op) => {
        const { db, body, params } = call
        const row = op === 'add' ? undefined : await db.row(table, primary, params.sid)
        if (op !== 'add' && !row) refuse(400, `invalid ${primary}`)
        const carrier = row ? row[PRIMARY] : body[PRIMARY]
        if (!carrier) refuse(400, 'missing voip_carrier_sid')
        await checkCarrier(call, carrier, 'write')
        if (kind === 'sip' && op !== 'delete') checkSipGateway(body)
      },
    }),
    [`GET ${path}`]: async (call) => {
      const sid = call.query[PRIMARY]
      if (!sid) refuse(400, 'missing voip_carrier_sid')
      await checkCarrier(call, sid, 'read')
      return ok(await call.db.rows('SELECT * FROM ?? WHERE voip_carrier_sid = ?', [table, sid]))
    },
  }
}

function checkSipGateway({ ipv4, inbound, outbound, netmask }: Row) {
  if (/\s/.test(String(ipv4))) refuse(400, 'Gateway must not contain whitespace')
  if (inbound && !isIPv4(String(ipv4))) refuse(400, 'Inbound gateway must be IPv4 address')
  if (!inbound && outbound && netmask && Number(netmask) !== 32)
    refuse(400, 'For outbound only gateway netmask can only be 32')
}

export const gateways: Routes = {
  ...gatewayRoutes('sip', '/SipGateways'),
  ...gatewayRoutes('smpp', '/SmppGateways'),
}
