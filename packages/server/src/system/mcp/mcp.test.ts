import { randomUUID } from 'node:crypto'
import { api, type Endpoint, MASK, membersOf } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, testStore } from '../../../test/calls.ts'
import { MCP, PING, post, rpc, tool } from '../../../test/mcp.ts'
import { buildApp } from '../../app.ts'
import { memory } from '../../http/memory.ts'
import { ANSWER_BYTES } from './answer.ts'
import { changes, everything, readable } from './catalogue.ts'
import { prompts } from './prompts.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp(MCP)
})
afterAll(() => t.close())

const hook = { url: 'https://user:sesame@example.com/hook', method: 'POST' as const }
const entries = () => t.db.selectFrom('switchroom_audit').selectAll().orderBy('seq').execute()
const namesFor = async (who: string): Promise<string[]> => {
  const { tools } = await rpc(t, who, 'tools/list')
  return tools.map(({ name }: { name: string }) => name)
}
const numbers = { made: 0 }
const newNumber = () =>
  t.as('a1')(api.phoneNumbers.create, { body: { number: `4420794600${10 + numbers.made++}` } })

describe('the door', () => {
  it.each([
    ['nobody', '', 401],
    ['an unknown key', randomUUID(), 401],
    ['an expired key', 'expired-key', 401],
    ['an ended session', 'revoked', 401],
    ['a key', 'a1-key', 200],
    ['a person', 'a1', 200],
  ])('lets %s in as the API does', async (_, who, status) => {
    expect((await post(t, who, PING)).statusCode).toBe(status)
    if (who) expect((await t.request(who, 'GET', '/PasswordSettings')).statusCode).toBe(status)
  })

  it('takes no key from another network', async () => {
    const key = await t.keyOf('a1', { networks: ['192.0.2.0/24'] })
    expect((await post(t, key, PING)).statusCode).toBe(403)
  })

  it.each([
    ['http://evil.example.com', 403],
    ['null', 403],
    ['http://console.test', 200],
    ['http://localhost:6274', 200],
  ])('is asked by pages of %s: %i', async (origin, status) => {
    expect((await post(t, 'a1-key', PING, { origin })).statusCode).toBe(status)
  })

  it('has no sessions', async () => {
    for (const method of ['GET', 'DELETE'] as const)
      expect((await t.app.inject({ method, url: '/mcp' })).statusCode).toBe(405)
    const answer = await post(t, 'a1-key', PING)
    expect(answer.headers).not.toHaveProperty('mcp-session-id')
    expect(answer.headers['cache-control']).toBe('no-store')
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect(await post(t, 'a1-key', notification)).toMatchObject({ statusCode: 202, body: '' })
  })

  it('is open to any process: none of them remembers anything', async () => {
    const { app } = t
    const other = await buildApp({ ...t.ctx, memory: memory(t.ctx.databaseUse) })
    const { data } = await tool(t, 'a1-key', 'plan_change', {
      what: 'phoneNumbers.create',
      body: { number: '4930555' },
    })
    const applied = await tool({ ...t, app: other }, 'a1-key', 'apply_change', { plan: data.plan })
    expect(applied.data).toMatchObject({ applied: 'phoneNumbers.create' })
    expect(other).not.toBe(app)
    await other.close()
  })

  it('ends what a client asked for that has left', async () => {
    const url = await t.app.listen({ host: '127.0.0.1', port: 0 })
    const { turns } = t.ctx.memory
    const { searches } = turns
    const left = new AbortController()
    const before = t.lines.length
    const ended = new Promise<void>((resolve) => {
      turns.searches = Object.assign(
        (_lane: unknown, _work: unknown, signal?: AbortSignal) =>
          new Promise<never>((_, reject) => {
            signal!.addEventListener('abort', () => {
              resolve()
              reject(new Error('left'))
            })
            left.abort()
          }),
        searches,
      )
    })
    const params = { name: 'find', arguments: { text: 'a1' } }
    const asked = fetch(`${url}/mcp`, {
      method: 'POST',
      signal: left.signal,
      body: JSON.stringify({ ...PING, method: 'tools/call', params }),
      headers: {
        authorization: `Bearer ${t.bearer['a1-key']}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    })
    await expect(asked.then((answer) => answer.text())).rejects.toThrow()
    await ended
    turns.searches = searches
    const failed = t.lines.slice(before).filter((line) => line.includes('a tool failed'))
    expect(failed).toEqual([])
  })

  it('refuses what is too large, and what is no message', async () => {
    const text = 'x'.repeat(110_000)
    expect((await post(t, 'a1-key', { ...PING, params: { text } })).statusCode).toBe(413)
    expect((await post(t, 'a1-key', '{')).statusCode).toBe(400)
    expect((await post(t, 'a1-key', { hello: 1 })).statusCode).toBe(400)
  })
})

describe('tools', () => {
  it('names none that is not there', async () => {
    await expect(tool(t, 'a1-key', 'drop_everything')).rejects.toMatchObject({ code: -32602 })
    await expect(
      rpc(t, 'a1-key', 'resources/read', { uri: 'file:///etc/passwd' }),
    ).rejects.toThrow()
    await expect(rpc(t, 'a1-key', 'prompts/get', { name: 'x' })).rejects.toThrow()
  })

  it('that write are only there for who may write', async () => {
    const writing = ['try_application', 'plan_change', 'apply_change']
    expect(await namesFor('a1-key')).toEqual(expect.arrayContaining(writing))
    const viewing = await t.keyOf('a1', { view_only: 1 })
    for (const who of [viewing, 'a1-viewer', 'admin-viewer']) {
      expect((await namesFor(who)).filter((name) => writing.includes(name))).toEqual([])
      await expect(tool(t, who, 'plan_change', {})).rejects.toMatchObject({ code: -32602 })
    }
    const calls = await t.keyOf('a1', { kinds: ['calls'] })
    expect((await namesFor(calls)).filter((name) => writing.includes(name))).toEqual([])
    const { text } = await tool(t, calls, 'read', { what: 'phoneNumbers.list' })
    expect(text).toContain('not valid')
  })

  it('say what they do to things', async () => {
    const { tools } = await rpc(t, 'a1-key', 'tools/list')
    for (const { name, annotations, description } of tools) {
      expect(annotations, name).toHaveProperty('readOnlyHint')
      expect(annotations, name).toHaveProperty('openWorldHint')
      expect(description.length, name).toBeGreaterThan(40)
    }
    const apply = tools.find(({ name }: { name: string }) => name === 'apply_change')
    expect(apply.annotations).toMatchObject({ destructiveHint: true, idempotentHint: true })
    // all of them are in every conversation of an agent
    expect(JSON.stringify(tools).length).toBeLessThan(20_000)
  })

  it('refuse arguments by name', async () => {
    for (const [name, args] of [
      ['find', { text: 1 }],
      ['find', { txt: 'x' }],
      ['read', { what: 'users.create' }],
      ['read', { what: 'accounts.webhookSecret' }],
      ['read', { what: 'phoneNumbers.list', cursor: 'made up' }],
      ['find', { text: '\u0000' }],
    ] as const) {
      const answer = await tool(t, 'a1-key', name, args)
      expect(answer.isError, JSON.stringify(args)).toBe(true)
    }
  })

  it('are in the audit log, with what they changed under the same id, and without secrets', async () => {
    const { data } = await tool(t, 'a1-key', 'plan_change', {
      what: 'applications.create',
      body: {
        name: 'Logged',
        call_hook: hook,
        call_status_hook: hook,
        env_vars: { KEY: 'sesame' },
      },
    })
    await tool(t, 'a1-key', 'apply_change', { plan: data.plan })
    const [planned, applied, created] = (await entries()).slice(-3)
    expect(planned).toMatchObject({ action: 'call', kind: 'mcp_tool', name: 'plan_change' })
    expect(planned!.after_values).not.toContain('sesame')
    expect(applied).toMatchObject({ action: 'call', name: 'apply_change', account_sid: t.sids.a1 })
    expect(created).toMatchObject({ action: 'create', kind: 'application', name: 'Logged' })
    expect(created!.request_id).toBe(applied!.request_id)
    await tool(t, 'a1-key', 'find', { text: 'y'.repeat(90) })
    expect((await entries()).at(-1)).toMatchObject({ action: 'call', name: 'find' })
    const before = (await entries()).length
    await rpc(t, 'a1-key', 'resources/read', { uri: 'switchroom://endpoints' })
    expect((await entries()).length).toBe(before + 1)
    await tool(t, 'a1-key', 'plan_change', {
      what: 'applications.create',
      body: { name: 'z'.repeat(60_000) },
    })
    expect((await entries()).at(-1)!.after_values!.length).toBeLessThan(3_000)
  })

  it('bound what they answer, and go on until all was read', async () => {
    const description = 'd'.repeat(400)
    const { sid: voip_carrier_sid } = await t.as('a2')(api.voipCarriers.create, {
      body: { name: 'Long' },
    })
    const routes = Array.from({ length: 300 }, (_, i) => ({
      regex: `^4${i}`,
      description,
      lcr_carrier_set_entries: [{ voip_carrier_sid }],
    }))
    const { sid } = await t.as('a2')(api.lcrs.create, {
      body: { name: 'long', default_carrier: voip_carrier_sid, routes },
    })
    const args = { what: 'lcrs.view', params: { lcr_sid: sid } }
    const patterns: string[] = []
    let answer = await tool(t, 'a2-key', 'read', args)
    const rowsIn = (rows: unknown) => (rows as { regex: string }[]).map(({ regex }) => regex)
    patterns.push(...rowsIn(answer.data.routes))
    while (answer.cursors.length > 0) {
      expect(Buffer.byteLength(answer.text)).toBeLessThan(ANSWER_BYTES + 1_000)
      answer = await tool(t, 'a2-key', 'read', { ...args, cursor: answer.cursors[0]!.cursor })
      patterns.push(...rowsIn(answer.data.rows))
    }
    expect(patterns).toEqual(Array.from({ length: 300 }, (_, i) => `^4${i}`))
  })

  it('go from page to page', async () => {
    for (let i = 0; i < 5; i++) await newNumber()
    const args = { what: 'phoneNumbers.list', query: { page_size: 2, sort: 'number' } }
    const seen: unknown[] = []
    let answer = await tool(t, 'a1-key', 'read', args)
    for (;;) {
      seen.push(...(answer.data.data as { number: string }[]).map(({ number }) => number))
      const [next] = answer.cursors
      if (!next) break
      answer = await tool(t, 'a1-key', 'read', { ...args, cursor: next.cursor })
    }
    const all = await t.as('a1')(api.phoneNumbers.list, { query: { page: 1, page_size: 100 } })
    expect(seen).toEqual(all.data.map(({ number }) => number).sort())
  })
})

describe('changes', () => {
  const planFor = async (body: object, who = 'a1-key') => {
    const { sid: phone_number_sid } = await newNumber()
    const params = { phone_number_sid }
    const planned = await tool(t, who, 'plan_change', { what: 'phoneNumbers.update', params, body })
    const stored = () => t.as('a1')(api.phoneNumbers.view, { params })
    return { params, planned, plan: planned.data.plan, stored }
  }

  it('are shown field by field before anything happens, and are made once', async () => {
    const { planned, plan, stored } = await planFor({ description: 'Front desk' })
    expect(planned.data).toMatchObject({
      does: 'update',
      changed: [{ field: 'description', before: null, after: 'Front desk' }],
    })
    expect(await stored()).toMatchObject({ description: null })
    expect((await tool(t, 'a1-key', 'apply_change', { plan })).isError).toBe(false)
    expect(await stored()).toMatchObject({ description: 'Front desk' })
    const again = await tool(t, 'a1-key', 'apply_change', { plan })
    expect(again.data).toMatchObject({ code: 'not_found' })
  })

  it('are refused if somebody changed the thing meanwhile, with what', async () => {
    const { params, plan, stored } = await planFor({ description: 'mine' })
    await t.as('a1')(api.phoneNumbers.update, { params, body: { description: 'theirs' } })
    const { data, isError } = await tool(t, 'a1-key', 'apply_change', { plan })
    expect(isError).toBe(true)
    expect(data).toMatchObject({ code: 'changed', changed: { description: 'theirs' } })
    expect(await stored()).toMatchObject({ description: 'theirs' })
  })

  it('are their planner’s alone', async () => {
    const { plan, stored } = await planFor({ description: 'mine' })
    for (const who of ['a2-key', 'sp1-key', 'admin', 'a1'])
      expect((await tool(t, who, 'apply_change', { plan })).data).toMatchObject({
        code: 'not_found',
      })
    expect(await stored()).toMatchObject({ description: null })
  })

  it('are refused while they are planned if they are not valid', async () => {
    const { planned } = await planFor({ application_sid: 'no sid' })
    expect(planned.data).toMatchObject({ code: 'invalid', issues: [{ path: ['application_sid'] }] })
  })

  it('keep secrets that were read masked, and refuse masks within a text', async () => {
    const { sid: application_sid } = await t.as('a1')(api.applications.create, {
      body: { name: 'Masked', call_hook: hook, call_status_hook: hook },
    })
    const params = { application_sid }
    const read = await tool(t, 'a1-key', 'read', { what: 'applications.view', params })
    expect(read.text).not.toContain('sesame')
    const { url } = membersOf(read.data.call_hook)
    const planned = await tool(t, 'a1-key', 'plan_change', {
      what: 'applications.update',
      params,
      body: { call_hook: { ...hook, url: `${url}/more` } },
    })
    expect(planned.data).toMatchObject({ issues: [{ path: ['call_hook', 'url'] }] })
    const { data } = await tool(t, 'a1-key', 'plan_change', {
      what: 'applications.update',
      params,
      body: { name: 'Renamed', env_vars: { KEY: MASK }, call_hook: { ...hook, url } },
    })
    expect((await tool(t, 'a1-key', 'apply_change', { plan: data.plan })).isError).toBe(false)
    const stored = await t.as('a1')(api.applications.view, { params })
    expect(stored).toMatchObject({ name: 'Renamed', call_hook: { url: hook.url } })
  })

  it('are of what they name, whatever else a path could lead to', async () => {
    const params = { account_sid: t.sids.a1, speech_credential_sid: '..' }
    const what = 'accountSpeechCredentials.remove'
    const planned = await tool(t, 'sp1-key', 'plan_change', { what, params })
    expect(planned.data).toMatchObject({ code: 'not_found' })
    const args = { what: 'accountRecentCalls.list', params: { account_sid: '..' } }
    expect((await tool(t, 'admin-key', 'read', args)).data).toMatchObject({ code: 'not_found' })
  })

  it('tell what they mean: whose calls go another way, and what is in use', async () => {
    const { sid: voip_carrier_sid } = await t.as('a1')(api.voipCarriers.create, {
      body: { name: 'Used' },
    })
    await t.as('a1')(api.phoneNumbers.create, { body: { number: '4930123', voip_carrier_sid } })
    const planned = await tool(t, 'a1-key', 'plan_change', {
      what: 'voipCarriers.remove',
      params: { voip_carrier_sid },
    })
    expect(planned.data).toMatchObject({
      does: 'remove',
      removed: { name: 'Used' },
      yesterdays_calls: { calls: 0, rerouted: 0 },
      uses: [{ of: 'phone_number', total: 1 }],
    })
    const off = await tool(t, 'a1-key', 'plan_change', {
      what: 'voipCarriers.update',
      params: { voip_carrier_sid },
      body: { is_active: 0 },
    })
    expect(off.data).toMatchObject({ yesterdays_calls: { lost: 0 } })
    const { sid: lcr_sid } = await t.as('a1')(api.lcrs.create, {
      body: { name: 'Table', is_active: 0, default_carrier: voip_carrier_sid, routes: [] },
    })
    for (const [what, body] of [
      ['lcrs.remove', undefined],
      ['lcrs.update', { routes: [], default_carrier: voip_carrier_sid }],
    ] as const) {
      const { data } = await tool(t, 'a1-key', 'plan_change', {
        what,
        params: { lcr_sid },
        ...(body && { body }),
      })
      expect(data, what).toMatchObject({ yesterdays_calls: { gained: 0 } })
    }
  })

  it('are made once, also when two apply the same plan at once', async () => {
    const body = { name: 'Twice', kind: 'mail', address: 'ops@example.com' }
    const { data } = await tool(t, 'a1-key', 'plan_change', {
      what: 'alertDestinations.create',
      body,
    })
    await Promise.all([1, 2].map(() => tool(t, 'a1-key', 'apply_change', { plan: data.plan })))
    const { total } = await t.as('a1')(api.alertDestinations.list, { query: { page: 1 } })
    expect(total).toBe(1)
  })
})

describe('calls', () => {
  it('are listed, explained and counted', async () => {
    const store = await testStore('embedded')
    const call_sid = randomUUID()
    const line = callLine({
      ms: Date.now() - 60_000,
      ns: 1,
      tags: {
        account_sid: t.sids.a1,
        service_provider_sid: t.sids.sp1,
        answered: 'false',
        direction: 'outbound',
        trunk: 'Trunk',
      },
      fields: {
        call_sid,
        sip_callid: randomUUID(),
        from: '4420',
        to: '49301234567',
        sip_status: 503,
      },
    })
    expect((await send(store, line)).status).toBe(204)
    const { calls } = t.ctx.stores
    Object.assign(t.ctx.stores, { calls: store.calls })
    try {
      for (const who of ['a1-key', 'sp1-key', 'admin']) {
        const list = await tool(t, who, 'list_calls', { filter: '4930' })
        expect(list.data, who).toMatchObject({ total: 1, data: [{ call_sid }] })
        const explained = await tool(t, who, 'explain_call', { call: call_sid })
        expect(explained.data, who).toMatchObject({
          sentence: expect.stringMatching(/^Outbound from 4420 to 49301234567, failed/),
          call: { sip_status: 503 },
        })
        const counted = await tool(t, who, 'figures', {})
        expect(counted.data, who).toMatchObject({ calls: { calls: 1 } })
        const failing = await tool(t, who, 'explain_failures', { number: '+49 30 1234567' })
        expect(failing.data, who).toMatchObject({ failed_calls: { total: 1 } })
      }
      for (const who of ['a2-key', 'b1-key', 'sp2-key']) {
        expect((await tool(t, who, 'list_calls', {})).data, who).toMatchObject({ total: 0 })
        const explained = await tool(t, who, 'explain_call', { call: call_sid })
        expect(explained.data, who).toMatchObject({ code: 'not_found' })
      }
      const found = await rpc(t, 'a1-key', 'resources/read', {
        uri: `switchroom://calls/${call_sid}`,
      })
      expect(found.contents[0].text).toContain(call_sid)
    } finally {
      Object.assign(t.ctx.stores, { calls })
      await store.close()
    }
  })
})

describe('the catalogue', () => {
  /** Endpoints that change something and are not among the tools, and why. A new one is named here or offered. */
  const NOT_CHANGED: Record<string, RegExp> = {
    'gives access, or is about one’s own':
      /^(?:session|sessions|programs|secondFactor|passkeys|singleSignOn|registration|users|customers|directories|apiKeys|trunkReportLinks|customerReports|sharedReports|preferences|savedViews|viewAlerts|undo)\./,
    'is a secret': /\.(?:setWebhookSecret|rotate\w*|removeSecret)$/,
    'is about calls, and no configuration':
      /^(?:liveCalls|messages|messaging|recordings|transcriptions|trunkReport|registeredUsers)\./,
    'costs money': /^subscriptions\./,
    'changes many rows, or takes a file':
      /\.(?:import\w*|export\w*|updateMany|removeMany|usesOfMany|uploadKey|addRoutes|saveRoutes)$/,
    'another way to do the same':
      /\.(?:updateOf\w+|setFor\w+|removeFrom\w+|save(?:SystemInformation|PasswordSettings)|ofMany|setSipRealm)$/,
    'does something to no thing':
      /\.(?:connect|test\w*|probe|check|run\w*|make|mark|clearTtsCache|speak|recognize|synthesise\w*|resend|replay|begin|answer|stop|outbound|inbound|find)$/,
    'has no view of one thing': /^(?:signallingAddresses|predefinedCarriers)\./,
  }

  it('offers every change, or says why not', () => {
    const offered = new Set(changes.map(({ id }) => id))
    const rest = everything.filter(({ id, e }) => e.method !== 'GET' && !offered.has(id))
    const unexplained = rest.filter(
      ({ id }) => !Object.values(NOT_CHANGED).some((why) => why.test(id)),
    )
    expect(unexplained.map(({ id }) => id)).toEqual([])
    expect(changes.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['phoneNumbers.update', 'voipCarriers.create', 'lcrs.remove']),
    )
    expect(changes.filter(({ kind, e }) => kind === 'access' || e.grantsAccess)).toEqual([])
  })

  it('reads every answer in JSON', () => {
    const read = new Set(readable.map(({ id }) => id))
    const rest = everything.filter(({ id, e }) => e.method === 'GET' && !read.has(id))
    const isFile = ({ file, stream, download, picture, sound }: Endpoint) =>
      file || stream || download || picture || sound
    const others = rest.filter(({ e }) => !isFile(e) && !e.personOnly).map(({ id }) => id)
    expect(others.sort()).toEqual([
      'accountSpeechTrials.test',
      'accounts.webhookSecret',
      'providerSpeechTrials.test',
    ])
  })
})

it('has prompts for ten jobs, which name tools that are there', async () => {
  expect(prompts).toHaveLength(10)
  const names = await namesFor('admin')
  const listed = await rpc(t, 'a1-key', 'prompts/list')
  for (const { name, arguments: args } of listed.prompts) {
    const given = Object.fromEntries(args.map((arg: { name: string }) => [arg.name, 'Given "1"']))
    const { messages } = await rpc(t, 'a1-key', 'prompts/get', { name, arguments: given })
    const { text } = messages[0].content
    const named = text.match(/\b[a-z]+_[a-z]+\b/g)?.filter((word: string) => !word.endsWith('_sid'))
    expect(
      named?.filter(
        (word: string) => !/^(?:trace_id|call_sid)$/.test(word) && !names.includes(word),
      ) ?? [],
    ).toEqual([])
    if (args.length) expect(text).toContain('Given \\"1\\"')
  }
  await expect(rpc(t, 'a1-key', 'prompts/get', { name: 'explain_call' })).rejects.toThrow('missing')
})

it('has resources, each of which is a tool’s answer', async () => {
  const { resources } = await rpc(t, 'sp1-key', 'resources/list')
  expect(resources).toHaveLength(4)
  for (const { uri } of resources) {
    const { contents } = await rpc(t, 'sp1-key', 'resources/read', { uri })
    expect(contents[0].text, uri).toContain('<data>')
  }
  const { sid } = await newNumber()
  const uri = `switchroom://things/phoneNumbers/${sid}`
  expect((await rpc(t, 'a1-key', 'resources/read', { uri })).contents[0].text).toContain(sid)
  const foreign = await rpc(t, 'a2-key', 'resources/read', { uri })
  expect(foreign.contents[0].text).toContain('not_found')
})
