import http from 'node:http'
import https from 'node:https'
import { api, NO_SMS_PROVIDER } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { Blocked } from '../../src/outbound/guard.ts'
import type { Outbound } from '../../src/outbound/outbound.ts'
import { type TestApp, testApp } from '../app.ts'
import { seededRandom } from '../calls.ts'
import { chosen } from '../database.ts'
import { stripeStandIn } from '../stand-ins/stripe.ts'
import { caseCount, report } from '../trust.ts'
import { type FuzzRequest, makeRequest, SENT_SECRET, simpler } from './fuzz.ts'
import { createWorld, endpoints, type World } from './lines.ts'

/**
 * Requests made from the contract and damaged: none is answered with a server error, none hangs, and no secret is in
 * a response or the log. `FUZZ_SEED` repeats a run.
 */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_123)
const CASES = caseCount(chosen === 'mysql' ? 60 : 200, 200_000)
const PER_SERVER = 5_000
/** No busy machine takes as long. */
const LIMIT_MS = 60_000

/** In every stored secret that responses always mask. */
const STORED_SECRET = 'canary-stored-91c7'
/** Traces of internals: hashes, code, SQL. No random token contains one. */
const INSIDE =
  /\$argon2|\bat [\w.<>]+ \(|\/src\/\w+\/|SQLITE_|\bER_(?:[A-Z]{2,}_)+[A-Z]{2,}|[Ss][Qq][Ll] syntax|no such column/

const blocked = () => {
  throw new Blocked('Tests reach nothing')
}
/** No request of a test leaves this machine. */
const offline: Outbound = {
  fetch: async () => blocked(),
  socket: async () => blocked(),
  agents: {
    http: Object.assign(new http.Agent(), { createConnection: blocked }),
    https: Object.assign(new https.Agent(), { createConnection: blocked }),
  },
  guard: {
    mayReach: () => false,
    check: blocked,
    lookup: (_, __, done) => done(new Blocked('Tests reach nothing'), ''),
  },
}

type Opened = { t: TestApp; w: World; others: World; secrets: string[] }

async function open(environment: Record<string, string>): Promise<Opened> {
  const t = await testApp(environment, offline)
  const w = await createWorld(t)
  const others = await createWorld(t, 'b1')
  const owner = { account_sid: w.account }
  const { sid } = await t.as('a1')(api.accountSpeechCredentials.create, {
    params: owner,
    body: { vendor: 'soniox', api_key: STORED_SECRET, use_for_stt: 1 },
  })
  const client = { username: 'canary', password: STORED_SECRET }
  await t.as('a1')(api.clients.create, { body: client })
  const secrets = [STORED_SECRET, 'test-secret', ...Object.values(t.bearer)]
  return { t, w: { ...w, credential: sid }, others, secrets }
}

async function send({ t }: Opened, { who, method, url, headers, payload }: FuzzRequest) {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<'hung'>((resolve) => {
    timer = setTimeout(() => resolve('hung'), LIMIT_MS)
  })
  const answer = t.app.inject({
    method: method as 'GET',
    url: `/v1${url}`,
    headers: { ...(who && { authorization: `Bearer ${t.bearer[who]}` }), ...headers },
    ...(payload !== undefined && { payload }),
  })
  const first = await Promise.race([answer, tooLate])
  clearTimeout(timer)
  return first
}

/** The fault of a response to this request; undefined if it has none. */
async function fault(
  o: Opened,
  request: FuzzRequest,
  e: (typeof endpoints)[number]['e'],
  count: (status: number) => void = () => {},
) {
  o.t.lines.length = 0
  const answer = await send(o, request).catch((e: Error) => e)
  const log = o.t.lines.join('\n')
  if (answer === 'hung') return `no response within ${LIMIT_MS} ms`
  // a response that the OpenAPI description does not know
  if (answer instanceof Error) return answer.message
  const { statusCode, body } = answer
  count(statusCode)
  const isDeliberate =
    (statusCode === 503 && body.includes('"unavailable"')) ||
    (statusCode === 502 && e.callsOutside) ||
    (e === api.messaging.send && body.includes(NO_SMS_PROVIDER))
  if (statusCode >= 500 && !isDeliberate) return `${statusCode} ${body.slice(0, 500)}`
  const own = request.headers.authorization === undefined && o.t.bearer[request.who]
  // a renewed session or a new key is the caller's to read
  const leaked = o.secrets.find((secret) => body.includes(secret) && secret !== own)
  if (leaked) return `a secret in the response: ${body.slice(0, 500)}`
  if (INSIDE.test(body)) return `something internal in the response: ${body.slice(0, 500)}`
  const logged = [SENT_SECRET, ...o.secrets].find((secret) => log.includes(secret))
  if (logged) return `a secret in the log: ${log.slice(0, 500)}`
  return undefined
}

/** The smallest request that still fails, as far as small steps lead. */
async function smallest(o: Opened, request: FuzzRequest, e: (typeof endpoints)[number]['e']) {
  let found = request
  for (let steps = 0; steps < 200; steps++) {
    let next: FuzzRequest | undefined
    for (const candidate of simpler(found))
      if (await fault(o, candidate, e)) {
        next = candidate
        break
      }
    if (!next) break
    found = next
  }
  return found
}

const stillIn = async (t: TestApp) => {
  const callers = ['a1', 'sp1', 'admin']
  const answers = await Promise.all(callers.map((who) => t.request(who, 'GET', '/Users/me')))
  return answers.every((answer) => answer.statusCode === 200)
}

it(`answers ${CASES} damaged requests (seed ${SEED})`, { timeout: 36_000_000 }, async () => {
  const stripe = await stripeStandIn()
  const random = seededRandom(SEED)
  const faults: object[] = []
  const found = { accepted: 0, refused: 0 }
  const count = (status: number) => found[status < 400 ? 'accepted' : 'refused']++
  let o: Opened | undefined
  for (let i = 0; i < CASES && faults.length < 10; i++) {
    const isHosted = Math.floor(i / PER_SERVER) % 2 === 0
    // some requests end sessions or delete tenants
    if (o && (i % PER_SERVER === 0 || (i % 50 === 0 && !(await stillIn(o.t))))) {
      await o.t.close()
      o = undefined
    }
    o ??= await open(isHosted ? stripe.environment : {})
    const served = endpoints.filter((one) => isHosted || !one.e.hosted)
    const endpoint = served[random(served.length)]!
    const request = makeRequest(random, endpoint, o.w, o.others)
    const wrong = await fault(o, request, endpoint.e, count)
    if (!wrong) continue
    const least = await smallest(o, request, endpoint.e)
    faults.push({ seed: SEED, case: i, endpoint: endpoint.title, wrong, request: least })
  }
  await o?.t.close()
  await stripe.close()
  report({ part: 'damaged requests', tried: CASES, found })
  expect(faults, `FUZZ_SEED=${SEED} repeats them`).toEqual([])
})
