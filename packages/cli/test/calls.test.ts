import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../server/test/app.ts'
import { callLine, send, type TestStore, testStore } from '../../server/test/calls.ts'
import { testTerminal } from './terminal.ts'

let t: TestApp
let store: TestStore
let url: string
const TRACE = 'a'.repeat(32)
const began = Date.parse('2026-11-29T12:00:00Z')

const add = (from: string, to: string, fields: Record<string, string | number> = {}) =>
  send(
    store,
    callLine({
      ms: Date.now(),
      ns: Number(to) % 1_000,
      tags: {
        ...{ account_sid: t.sids.a1, service_provider_sid: t.sids.sp1, direction: 'inbound' },
        trunk: 'Telco',
      },
      fields: {
        from,
        to,
        call_sid: `call-${to}`,
        sip_callid: `leg-${to}`,
        trace_id: TRACE,
        ...fields,
      },
    }),
  )

beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  store = await testStore('embedded')
  t.ctx.stores.calls = store.calls
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await store.close()
  await t.close()
})

const env = (who: string) => ({
  ...{ HOME: '/nonexistent', SWITCHROOM_URL: url, SWITCHROOM_API_KEY: t.bearer[who]! },
})

it('shows calls as they end, each once, of whoever asks', async () => {
  await add('4930001', '4420001', { answered: 'true', duration: 12 })
  for (const who of ['a1-key', 'sp1-key', 'admin-key']) {
    let rounds = 0
    const pause = async () => {
      rounds += 1
      if (rounds === 1) await add('4930002', `442000${who.length}`)
      return rounds < 3
    }
    const { out } = await testTerminal(env(who), { pause }).run('calls', 'tail')
    expect(out.match(/4930001 → 4420001/g), who).toHaveLength(1)
    expect(out).toContain(`4930002 → 442000${who.length}`)
    expect(out).toContain('Telco')
  }
  const lines = (await testTerminal(env('a1-key'), {}, 1).run('calls', 'tail', '--jsonl')).out
  expect(JSON.parse(lines.split('\n')[0]!)).toHaveProperty('call_sid')
  const others = await testTerminal(env('b1-key'), {}, 1).run('calls', 'tail')
  expect(others).toEqual({ code: 0, out: '', err: '' })
})

it('explains a call: how it ended, what was said, its SIP', async () => {
  await add('4930003', '4420003', { sip_status: 486, termination_reason: 'Busy' })
  // what its trace and capture would show
  const answers: Record<string, object> = {
    [`/conversation/${TRACE}`]: {
      began,
      findings: [{ tone: 'warn', text: 'The caller waited 4 seconds', entry: 1 }],
      entries: [
        { kind: 'said', at: began + 500, text: 'How can I help?', url: null },
        {
          kind: 'heard',
          at: began + 3_000,
          side: 'caller',
          transcript: 'Sales please',
          digits: null,
        },
        { kind: 'event', at: began + 4_000, tone: 'info', text: 'The application hung up' },
      ],
    },
    '/leg-4420003/sip': {
      figures: { ringing: 700 },
      ending: { how: 'failure', by: 'called', status: '486 Busy Here', reason: null },
      parties: [
        { address: '192.0.2.1', port: 5060 },
        { address: '192.0.2.2', port: 5060 },
      ],
      messages: [
        { at: began * 1_000, source: 0, destination: 1, label: 'INVITE', repeats: null },
        {
          at: (began + 1_000) * 1_000,
          source: 1,
          destination: 0,
          label: '486 Busy Here',
          repeats: null,
        },
      ],
      diagnosis: [{ tone: 'bad', text: 'The called party was busy', message: 1 }],
    },
  }
  const answering: typeof fetch = async (input, init) => {
    const path = Object.keys(answers).find((end) => String(input).endsWith(end))
    return path ? Response.json(answers[path]) : fetch(input, init)
  }
  const { run } = testTerminal(env('a1-key'), { fetch: answering })
  const { code, out } = await run('calls', 'show', 'call-4420003')
  expect(code).toBe(0)
  for (const text of [
    /4930003 → 4420003 {2}not answered, 486 Busy {2}Telco$/m,
    /^Inbound from 4930003 to 4420003, rang for 0\.7 s, .*\(486 Busy Here\)\.$/m,
    /• The caller waited 4 seconds/,
    / 0\.5 s {2}application {2}How can I help\?/,
    / 3\.0 s {2}caller {7}Sales please/,
    /• The called party was busy/,
    / 0\.0 s {2}192\.0\.2\.1:5060 → 192\.0\.2\.2:5060 {2}INVITE/,
    / 1\.0 s {2}192\.0\.2\.2:5060 → 192\.0\.2\.1:5060 {2}486 Busy Here/,
  ])
    expect(out).toMatch(text)
  const json = JSON.parse((await run('calls', 'show', 'call-4420003', '--json')).out)
  expect(json).toMatchObject({
    sip_status: 486,
    conversation: { began },
    sip: answers['/leg-4420003/sip'],
  })
  const others = await testTerminal(env('b1-key')).run('calls', 'show', 'call-4420003')
  expect(others).toMatchObject({ code: 5, out: '' })
})
