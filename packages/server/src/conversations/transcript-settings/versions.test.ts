import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api, OTHER_VERSIONS } from '@switchroom/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callRecord } from '../../../test/voice.ts'
import { versionsOf } from './versions.ts'

let t: TestApp
const servers: Server[] = []
beforeAll(async () => {
  t = await testApp({ SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
})
afterAll(async () => {
  for (const server of servers) server.close()
  await t.close()
})
afterEach(() => t.db.deleteFrom('switchroom_transcript_settings').execute())

/** An application that declares these variables. */
async function hook(schema: object) {
  const server = createServer((_, response) => response.end(JSON.stringify(schema)))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/call`
}

type Account = 'a1' | 'a2'
async function application(of: Account, env_vars: Record<string, string | number>, schema = {}) {
  const url = { url: await hook(schema) }
  const { sid } = await t.as(of)(api.applications.create, {
    body: { name: `app ${servers.length}`, call_hook: url, call_status_hook: url, env_vars },
  })
  return sid
}

const split = (of: Account, source: string, name: string) =>
  t.request(of, 'PUT', `/Accounts/${t.sids[of]}/TranscriptSettings`, { split: { source, name } })

const talk = (of: Account, application_sid: string | null, tag = {}) => ({
  tag,
  call: callRecord({
    ...{ account_sid: t.sids[of], application_sid },
    attempted_at: '2026-03-01T10:00:00.000Z',
  }),
})

describe('versions of applications', () => {
  it('are values of the variable that the account has chosen', async () => {
    const [old, latest, plain] = [
      await application('a1', { RELEASE: '1.0', OTHER: 'x' }),
      await application('a1', { RELEASE: 2 }),
      await application('a1', { OTHER: 'x' }),
    ]
    const talks = [talk('a1', old), talk('a1', latest), talk('a1', plain), talk('a1', null)]
    const none = await versionsOf(t.ctx)(talks)
    expect(none).toEqual([undefined, undefined, undefined, undefined])
    expect((await split('a1', 'variable', 'RELEASE')).statusCode).toBe(204)
    expect(await versionsOf(t.ctx)(talks)).toEqual(['1.0', '2', '', ''])
    expect(
      (await t.request('a1', 'GET', `/Accounts/${t.sids.a1}/TranscriptSettings`)).json(),
    ).toMatchObject({ split: { source: 'variable', name: 'RELEASE' }, words: 'keep' })
    // another account's calls, and calls of it to an application that is not its own
    expect(await versionsOf(t.ctx)([talk('a2', old)])).toEqual([undefined])
    await split('a2', 'variable', 'RELEASE')
    expect(await versionsOf(t.ctx)([talk('a2', old)])).toEqual([''])
  })

  it('are values of a tag', async () => {
    await split('a1', 'tag', 'build')
    const tags: object[] = [
      { build: '7' },
      { build: 7 },
      { build: true },
      { build: {} },
      { toString: 1 },
      {},
    ]
    expect(await versionsOf(t.ctx)(tags.map((tag) => talk('a1', null, tag)))).toEqual([
      ...['7', '7', 'true', '', '', ''],
    ])
    await split('a1', 'tag', 'constructor')
    expect(await versionsOf(t.ctx)([talk('a1', null)])).toEqual([''])
  })

  it('are 50 of an application on a day, and others together', async () => {
    await split('a1', 'tag', 'build')
    const find = versionsOf(t.ctx)
    const builds = Array.from({ length: 60 }, (_, i) => `v${i}`)
    const found = await find(builds.map((build) => talk('a1', 'app', { build })))
    expect(found).toEqual([...builds.slice(0, 50), ...Array(10).fill(OTHER_VERSIONS)])
    // known ones stay, those of another application and another day are told apart
    const again = talk('a1', 'app', { build: 'v3' })
    const tomorrow = talk('a1', 'app', { build: 'v55' })
    tomorrow.call.attempted_at = '2026-03-02T10:00:00.000Z'
    expect(await find([again, talk('a1', 'app-2', { build: 'v55' }), tomorrow])).toEqual([
      ...['v3', 'v55', 'v55'],
    ])
    const [long] = await find([talk('a1', 'app-3', { build: 'v '.repeat(500) })])
    expect(long).toHaveLength(128)
  })

  it('are no secrets', async () => {
    for (const name of ['API_TOKEN', 'password', 'x_key'])
      for (const source of ['variable', 'tag']) {
        const { statusCode, body } = await split('a1', source, name)
        expect([statusCode, JSON.parse(body).issues[0].path]).toEqual([400, ['split', 'name']])
      }
    const looksSecret = await application('a1', { RELEASE: 'sk0123456789abcdef' })
    await split('a1', 'variable', 'RELEASE')
    expect(await versionsOf(t.ctx)([talk('a1', looksSecret)])).toEqual([''])
    const schema = { PIN: { type: 'string', description: 'A number', obscure: true } }
    await application('a1', { PIN: '4711' }, schema)
    const refused = await split('a1', 'variable', 'PIN')
    expect([refused.statusCode, refused.json().issues[0].path]).toEqual([400, ['split', 'name']])
    // a tag of the same name is another thing, and another account has no such application
    expect((await split('a1', 'tag', 'PIN')).statusCode).toBe(204)
    expect((await split('a2', 'variable', 'PIN')).statusCode).toBe(204)
  })

  it('are chosen by those who may change the account', async () => {
    const path = `/Accounts/${t.sids.a1}/TranscriptSettings`
    const body = { split: { source: 'tag', name: 'build' } }
    expect((await t.request('a2', 'PUT', path, body)).statusCode).toBe(404)
    for (const wrong of [
      { source: 'x', name: 'a' },
      { source: 'tag', name: ' ' },
      { source: 'tag' },
    ])
      expect((await t.request('a1', 'PUT', path, { split: wrong })).statusCode).toBe(400)
    expect((await t.request('a1', 'PUT', path, body)).statusCode).toBe(204)
    expect((await t.request('a1', 'PUT', path, { split: null })).statusCode).toBe(204)
    expect(await versionsOf(t.ctx)([talk('a1', null, { build: 1 })])).toEqual([undefined])
  })
})
