import { randomUUID } from 'node:crypto'
import { api } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { chosen } from '../database.ts'
import { allRows } from '../rows.ts'
import { type StripeStandIn, stripeStandIn } from '../stand-ins/stripe.ts'
import { recordStatements } from '../statements.ts'
import { caseCount, report, sample } from '../trust.ts'
import { ask, createWorld, endpoints, summary, type World } from './lines.ts'
import { kindOf, naming, type SidField, sidFields } from './sid-fields.ts'

/**
 * Every sid that an endpoint takes, in path, query or body, is replaced by one of another tenant and by one that
 * does not exist, one at a time, while the rest of the request stays valid. The two responses must be alike, and
 * nothing of the other tenant may change.
 */
const fieldsOf = ({ e }: (typeof endpoints)[number]): SidField[] => [
  ...sidFields('params', e.params),
  ...sidFields('query', e.query),
  ...sidFields('body', e.body),
]
/** Public by intention: tells whether a provider exists, as the platform does. */
const TELLS = ['registration.accountTest']

const tested = endpoints
  .map((one) => ({ ...one, fields: fieldsOf(one) }))
  .filter(({ fields }) => fields.length > 0)
  .filter(({ title }) => !TELLS.includes(title))

it.each(tested)('knows what the sids of $title name', ({ fields }) => {
  const unknown = fields.filter((field) => !kindOf(field).kind && !kindOf(field).isCommon)
  expect(unknown).toEqual([])
})

/** The callers of `npm test` come first. */
const CALLERS = ['a1', 'sp1', 'a1-key', 'sp1-key', 'a1-viewer', 'sp1-viewer']
const callers = CALLERS.slice(0, caseCount(2, CALLERS.length))
const RANK = { public: 0, account: 1, service_provider: 2, admin: 3 }
const rankOf = (who: string) => (who.startsWith('sp') ? 2 : 1)

const recorded = recordStatements()
/** True if a statement changes more than the time of last use. */
const isWrite = (statement: string) =>
  /^\s*(?:insert|update|delete|replace)/i.test(statement) &&
  !/switchroom_live|last_(?:used|seen)/.test(statement)

let stripe: StripeStandIn
let open:
  | {
      hosted: boolean
      t: TestApp
      own: World
      foreign: { of: string; w: World }[]
      before: string[]
    }
  | undefined
beforeAll(async () => {
  stripe = await stripeStandIn()
})
afterAll(async () => {
  await open?.t.close()
  await stripe.close()
})

/** A response without the sid and secret of a created resource, its links, and the time. */
const alike = (text: string) =>
  text
    .replace(/^201 .*/, (made) => made.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'SID'))
    .replace(/whsec_[\w+/=]+/, 'SECRET')
    .replace(/"now":"[^"]*"/, '')

const sidIn = (body: string) => (JSON.parse(body) as { sid: string }).sid

/** Everything in the database that belongs to or names one of these. */
async function rowsNaming(t: TestApp, sids: string[]) {
  const { switchroom_audit_head: _, ...tables } = await allRows(t.db)
  return Object.values(tables)
    .flat()
    .filter((row) => sids.some((sid) => row.includes(sid)))
}

async function opened(hosted: boolean) {
  if (open?.hosted === hosted) return open
  await open?.t.close()
  open = undefined
  const t = await testApp(hosted ? stripe.environment : {}, undefined, recorded.tracing)
  const own = await createWorld(t)
  const foreign = [
    { of: 'b1', w: await createWorld(t, 'b1') },
    { of: 'a2', w: await createWorld(t, 'a2') },
  ]
  open = { hosted, t, own, foreign, before: await rowsNaming(t, Object.values(foreign[0]!.w)) }
  return open
}

const byServer = tested
  .map((one, index) => ({ ...one, index }))
  .toSorted((a, b) => Number(!!a.e.hosted) - Number(!!b.e.hosted))

describe.each(byServer)('$title', ({ title, e, line, fields, index }) => {
  it('treats foreign and missing sids alike', async () => {
    const { t, own, foreign, before } = await opened(e.hosted ?? false)
    const different: object[] = []
    let [tried, refused] = [0, 0]
    const allowed = callers.filter((who) => {
      if (who.endsWith('-key') && e.personOnly) return false
      if (who.endsWith('-viewer') && e.method !== 'GET') return false
      // administrators may see everything: their endpoints are closed to all others, whatever resource is named
      if (e.access === 'admin') return true
      return rankOf(who) >= RANK[e.access] && !line.except?.includes(who)
    })
    // MariaDB gets the same conditions as SQLite
    const some = chosen === 'mysql' ? sample(allowed, 1, index) : allowed
    const askAll = async () => {
      for (const who of e.access === 'public' ? [''] : some)
        for (const field of fields) {
          const { kind } = kindOf(field)
          if (!kind) continue
          const outcome = async (sid: string) => {
            tried++
            const answer = await ask(t, who, e, naming(line, field, sid), own)
            if (answer.status >= 400) refused++
            // an owner has one table, and the next is to meet the same world
            else if (title === 'lcrs.create')
              await t.request('admin', 'DELETE', `/Lcrs/${sidIn(answer.body)}`)
            return alike(summary(answer, { ...own, [kind]: sid }))
          }
          const missing = await outcome(randomUUID())
          for (const { of, w } of foreign) {
            // the accounts of a provider are its own, and it shares with them
            if (of === 'a2' && (rankOf(who) > 1 || kind === 'sp' || kind === 'shared')) continue
            const other = await outcome(w[kind])
            if (other !== missing)
              different.push({
                who,
                field: `${field.at} ${field.path.join('.')}`,
                of,
                other,
                missing,
              })
          }
        }
    }
    const statements = await recorded.during(askAll)
    report({
      part: 'foreign and missing objects in path, query and body',
      tried,
      found: { refused },
    })
    expect(different).toEqual([])
    if (statements.some(isWrite))
      expect(await rowsNaming(t, Object.values(foreign[0]!.w))).toEqual(before)
  })
})

describe('SCIM', () => {
  const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
  const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
  const scimUser = () => {
    const userName = `${randomUUID().slice(0, 8)}@example.com`
    return { schemas: [USER], userName, externalId: randomUUID(), emails: [{ value: userName }] }
  }
  const bodies: Record<string, () => object | undefined> = {
    GET: () => undefined,
    PUT: scimUser,
    PATCH: () => ({
      schemas: [PATCH],
      Operations: [{ op: 'replace', path: 'active', value: false }],
    }),
    DELETE: () => undefined,
  }
  const directoryOf = async (t: TestApp, service_provider_sid: string) => {
    const { token } = await t.as('admin')(api.directories.create, {
      body: {
        name: 'Directory',
        service_provider_sid,
        default_access: { scope: 'service_provider', service_provider_sid },
      },
    })
    const call = (method: string, id = '', body: object | undefined = undefined) =>
      t.app.inject({
        method: method as 'GET',
        url: `/scim/v2/Users${id && `/${id}`}`,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/scim+json' }),
        },
        ...(body && { payload: JSON.stringify(body) }),
      })
    return { call, add: async () => (await call('POST', '', scimUser())).json().id as string }
  }

  it.each(Object.keys(bodies))('treats foreign and missing users alike (%s)', async (method) => {
    const { t, own, foreign } = await opened(false)
    const directory = await directoryOf(t, own.sp)
    const others = {
      'of its provider’s other directory': await (await directoryOf(t, own.sp)).add(),
      'of another provider’s directory': await (await directoryOf(t, foreign[0]!.w.sp)).add(),
      'of no directory': own.user,
      'of no directory, of another provider': foreign[0]!.w.user,
    }
    const answerFor = async (id: string) => {
      const answer = await directory.call(method, id, bodies[method]!())
      return `${answer.statusCode} ${answer.body.replaceAll(id, 'SID')}`
    }
    const before = await rowsNaming(t, Object.values(others))
    const missing = await answerFor(randomUUID())
    expect(missing).toMatch(/^404 /)
    for (const [which, id] of Object.entries(others))
      expect(await answerFor(id), which).toBe(missing)
    expect(await rowsNaming(t, Object.values(others))).toEqual(before)
    // its own is found by the same request
    expect(await answerFor(await directory.add())).toMatch(/^20[04] /)
    report({
      part: 'foreign and missing objects in path, query and body',
      tried: Object.keys(others).length + 2,
      found: { refused: Object.keys(others).length + 1 },
    })
  })
})

/** Fields that no sid of the caller's own would fit: all are refused there. */
const NEVER_VALID = [
  // a new account has no applications, gateways, routes and entries
  'accounts.create device_calling_application_sid',
  'accounts.create siprec_hook_sid',
  /^voipCarriers.create\w* s\w+_gateways/,
  'voipCarriers.createForServiceProvider application_sid',
  /^lcrs.(?:addRoutes|create) .*(?:lcr_route_sid|entry_sid)$/,
  // an account without a table has no carriers here but shared ones
  'lcrs.create routes.[].lcr_carrier_set_entries.[].voip_carrier_sid',
  // the account has one already
  'lcrs.create account_sid',
  // never changes
  'phoneNumbers.update voip_carrier_sid',
  // would delete resources that others need, except those in use
  /^voipCarriers.removeMany /,
  // the user is deleted before; the tests of these rooms assign to users of every owner
  'failures.update assigned_to',
  /^\w+Issues.mark assigned_to/,
  // callers would be among those whom they delete
  /^users.removeMany select.matching/,
]
const isNeverValid = (name: string) =>
  NEVER_VALID.some((n) => (typeof n === 'string' ? n === name : n.test(name)))

it('sends bodies that are valid but for the sid', async () => {
  const invalid: string[] = []
  for (const hosted of [false, true]) {
    const { t, own } = await opened(hosted)
    const some = tested.filter(
      ({ e }) => (e.hosted ?? false) === hosted && e.access !== 'public' && e.access !== 'admin',
    )
    for (const { title, e, line, fields } of some)
      for (const field of fields) {
        const { kind } = kindOf(field)
        const name = `${title} ${field.path.join('.')}`
        if (field.at !== 'body' || !kind || isNeverValid(name)) continue
        const answers: string[] = []
        for (const who of ['a1', 'sp1', 'admin']) {
          const w = title.startsWith('lcr') ? await withNewTable(t, own) : own
          const { status, body } = await ask(t, who, e, naming(line, field, w[kind]), w)
          if (status < 300 || status === line.answers) break
          answers.push(`${who} ${status} ${body}`)
        }
        if (answers.length === 3) invalid.push(`${name}: ${answers.join(' ')}`)
      }
  }
  expect(invalid).toEqual([])
})

/** The same, with a new routing table and a new empty account, since saving routes gives them new sids. */
async function withNewTable(t: TestApp, own: World): Promise<World> {
  const as = t.as('sp1')
  await as(api.lcrs.remove, { params: { lcr_sid: own.table } })
  const { sid } = await as(api.lcrs.create, {
    body: {
      name: 'outbound',
      account_sid: own.account,
      routes: [{ regex: '^44', lcr_carrier_set_entries: [{ voip_carrier_sid: own.shared }] }],
      default_carrier: own.shared,
    },
  })
  const { routes, default_carrier_set_entry_sid } = await as(api.lcrs.view, {
    params: { lcr_sid: sid },
  })
  const { sid: fresh } = await as(api.accounts.create, {
    body: { name: randomUUID().slice(0, 8), service_provider_sid: own.sp },
  })
  own.table = sid
  own.route = routes[0]!.lcr_route_sid
  own.entry = routes[0]!.lcr_carrier_set_entries[0]!.lcr_carrier_set_entry_sid
  own.defaultEntry = default_carrier_set_entry_sid!
  return { ...own, fresh }
}
