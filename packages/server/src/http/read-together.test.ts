import { api } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { recordStatements } from '../../test/statements.ts'

const recorded = recordStatements()
let t: TestApp
/** Addresses of the single reads, by the account that may see them. */
const paths: Record<'a1' | 'a2', string[]> = { a1: [], a2: [] }

beforeAll(async () => {
  t = await testApp({}, undefined, recorded.tracing)
  for (const who of ['a1', 'a2'] as const) {
    const account_sid = t.sids[who]
    const { sid: carrier } = await t.as(who)(api.voipCarriers.createForAccount, {
      params: { account_sid },
      body: { name: `carrier of ${who}` },
    })
    for (const port of [5060, 5061])
      await t.as(who)(api.sipGateways.create, {
        body: { voip_carrier_sid: carrier, ipv4: '198.51.100.1', port, inbound: 1, outbound: 0 },
      })
    const { sid: application } = await t.as(who)(api.applications.create, {
      body: {
        name: `application of ${who}`,
        call_hook: { url: `https://example.com/${who}`, method: 'POST' },
        call_status_hook: { url: `https://example.com/${who}/status`, method: 'POST' },
      },
    })
    paths[who] = [
      `/Accounts/${account_sid}`,
      `/VoipCarriers/${carrier}`,
      `/Applications/${application}`,
    ]
  }
})
afterAll(() => t.close())

const read = async (who: string, path: string) => {
  const { statusCode, body } = await t.request(who, 'GET', path)
  return { statusCode, body }
}

it('take one statement for the things of a kind that are read at once', async () => {
  const asked = [...paths.a1, ...paths.a2].flatMap((path) => Array<string>(10).fill(path))
  const alone: Record<string, unknown> = {}
  for (const path of new Set(asked)) alone[path] = await read('admin', path)
  const statements = await recorded.during(async () => {
    const answers = await Promise.all(asked.map((path) => read('admin', path)))
    for (const [i, path] of asked.entries()) expect(answers[i]).toEqual(alone[path])
  })
  const ofThings = statements.filter((sql) =>
    /^select [`"](accounts|voip_carriers|applications)\b|^select \*/.test(sql),
  )
  expect(ofThings.length, ofThings.join('\n')).toBeLessThanOrEqual(6)
})

it('find what each caller may see, whoever else asks', async () => {
  const all = [...paths.a1, ...paths.a2]
  const asked = ['a1', 'a2'].flatMap((who) => all.map((path) => ({ who, path })))
  const answers = await Promise.all(asked.map(({ who, path }) => read(who, path)))
  for (const [i, { who, path }] of asked.entries())
    expect(answers[i]!.statusCode, `${who} ${path}`).toBe(
      paths[who as 'a1' | 'a2'].includes(path) ? 200 : 404,
    )
})

it('show what was written before they were asked for', async () => {
  const [path] = paths.a1 as [string]
  const reading = read('admin', path)
  const name = async () => JSON.parse((await read('admin', path)).body).name as string
  const before = await name()
  await reading
  await t.as('admin')(api.accounts.update, {
    params: { account_sid: t.sids.a1 },
    body: { name: `${before}, renamed` },
  })
  const answers = await Promise.all([name(), name()])
  expect(answers).toEqual([`${before}, renamed`, `${before}, renamed`])
})

it('hides from view-only users what others read in the same turn', async () => {
  const { sid } = await t.as('a1')(api.applications.create, {
    body: {
      name: 'with a password',
      call_hook: { url: 'https://example.com/', method: 'POST', username: 'u', password: 'canary' },
      call_status_hook: { url: 'https://example.com/status', method: 'POST' },
    },
  })
  const path = `/Applications/${sid}`
  const full = await read('a1', path)
  const masked = await read('a1-viewer', path)
  expect(JSON.stringify(full)).toContain('canary')
  expect(JSON.stringify(masked)).not.toContain('canary')
  const callers = ['a1', 'a1-viewer', 'a1']
  expect(await Promise.all(callers.map((who) => read(who, path)))).toEqual([full, masked, full])
})
