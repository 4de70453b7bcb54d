import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LOG_GROUP } from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { callLine, send, type TestStore, testStore } from '../../test/calls.ts'

type HandlerInput = {
  logGroupName: string
  startTime: number
  endTime: number
  filterPattern: string
  nextToken?: string
}
type Answer = { status?: number; events?: { message: string }[]; nextToken?: string }

/** CloudWatch, as strict as it is: the right operation, signed, for the right region. */
let server: Server
let requests: HandlerInput[]
let answers: Answer[]
let t: TestApp
let calls: TestStore
const call_sid = randomUUID()
const hostile_sid = randomUUID()
const AT = Date.now() - 3_600_000
const line = (more: object) => JSON.stringify({ level: 30, msg: 'x', callSid: call_sid, ...more })

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const signed = String(request.headers.authorization)
    const isRight =
      request.method === 'POST' &&
      request.headers['x-amz-target'] === 'Logs_20140328.FilterLogEvents' &&
      /^AWS4-HMAC-SHA256 Credential=AKIDTEST\/\d{8}\/eu-west-1\/logs\/aws4_request/.test(signed)
    const next = answers.shift()
    if (!isRight || !next || next.status) {
      response.writeHead(next?.status ?? 400, { 'content-type': 'application/x-amz-json-1.1' })
      return response.end('{"__type":"AccessDeniedException","message":"arn:canary"}')
    }
    requests.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
    response.end(JSON.stringify({ events: next.events ?? [], nextToken: next.nextToken }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDWATCH_LOGS', `http://127.0.0.1:${port}`)
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDTEST')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'canary-secret')
  t = await testApp({
    AWS_REGION: 'eu-west-1',
    SWITCHROOM_LOG_GROUPS: 'jambonz-sbc, other/group',
  })
  calls = await testStore('embedded')
  const { a1, sp1 } = t.sids
  const call = (sid: string, sip_callid: string) =>
    callLine({
      ms: AT,
      ns: 0,
      tags: { account_sid: a1, service_provider_sid: sp1, direction: sip_callid },
      fields: { call_sid: sid, sip_callid, terminated_at: AT + 5_000 },
    })
  const lines = [call(call_sid, 'sip-1@pbx'), call(hostile_sid, 'x" || $.level = "*')]
  expect((await send(calls, lines.join('\n'))).status).toBe(204)
  Object.assign(t.ctx.stores, { calls: calls.calls })
})
beforeEach(() => {
  requests = []
  answers = []
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await calls.close()
  await t.close()
  server.closeAllConnections()
  server.close()
})

const ask = (who = 'a1', sid = call_sid, more = '') =>
  t.request(who, 'GET', `/Accounts/${t.sids.a1}/RecentCalls/${sid}/logs${more}`)

describe('the log of a call', () => {
  it('is read page by page, within the time of the call', async () => {
    answers = [
      { events: [{ message: line({ n: 1 }) }], nextToken: 'more' },
      { events: [], nextToken: 'and more' },
      { events: [{ message: line({ n: 2 }) }] },
    ]
    const answer = await ask()
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json()).toEqual([line({ n: 1 }), line({ n: 2 })])
    expect(requests.map(({ nextToken }) => nextToken)).toEqual([undefined, 'more', 'and more'])
    expect(requests[0]).toMatchObject({
      logGroupName: LOG_GROUP,
      startTime: AT - 60_000,
      endTime: AT + 65_000,
      filterPattern: `{ ($.callSid = "${call_sid}") || ($.callId = "sip-1@pbx") }`,
    })
  })

  it('is read from another log group that the operator allows, and from no other', async () => {
    answers = [{}]
    expect((await ask('a1', call_sid, '?logGroupName=other/group')).json()).toEqual([])
    expect(requests[0]!.logGroupName).toBe('other/group')
    for (const group of ['other', 'other/groups', '/aws/lambda/payroll', 'OTHER/GROUP', '../x'])
      for (const who of ['a1', 'sp1', 'admin', 'a1-key'])
        expect((await ask(who, call_sid, `?logGroupName=${group}`)).statusCode, group).toBe(400)
    expect(requests).toHaveLength(1)
    expect((await ask('a1', call_sid, '?logGroupName=a%20b')).statusCode).toBe(400)
  })

  it('tells view-only callers no secret, and leaves them the rest', async () => {
    const lines = [
      line({ hook: { url: 'wss://u:CANARY@example.com/x?token=CANARY', method: 'GET' } }),
      line({ headers: { Authorization: 'Bearer CANARY-CANARY', accept: 'audio/wav' } }),
      line({ msg: 'sending INVITE sip:bob\r\nProxy-Authorization: Digest CANARY\r\nTo: bob' }),
      line({ msg: 'connecting to azure with {"apiKey": "CANARY", "region": "west"}' }),
      line({ credentials: [{ access_key_id: 'CANARY' }], plain: '{"password":"CANARY","n":1}' }),
      line({ msg: "voice failed: password = 'CANARY with blanks' Bearer CANARY-CANARY=" }),
      // numbers that JavaScript would round are not rewritten
      `{"callSid":"${call_sid}","ns":1732351000000000001}`,
    ]
    const events = lines.map((message) => ({ message }))
    answers = [{ events }, { events }]
    expect((await ask('a1')).json()).toEqual(lines)
    const shown = (await ask('a1-viewer')).json()
    expect(shown).toHaveLength(lines.length)
    expect(shown.join('\n')).not.toContain('CANARY')
    for (const rest of ['example.com', 'audio/wav', 'To: bob', 'west', '1732351000000000001'])
      expect(shown.join('\n')).toContain(rest)
    expect(shown.at(-1)).toBe(lines.at(-1))
  })

  it('has the words that the account wants to be kept', async () => {
    // longer than any part of a sid
    const CARD = '4111222233334444'
    const lines = [
      line({ msg: `heard my card is ${CARD}`, evt: { transcript: `CANARY ${CARD}` } }),
      line({ digits: CARD, traceId: 'abc1' }),
      `CANARY ${CARD}, not JSON`,
    ]
    const set = (words: 'keep' | 'mask' | 'leave_out') =>
      t.request('a1', 'PUT', `/Accounts/${t.sids.a1}/TranscriptSettings`, { words })
    const shown = async () => {
      answers = [{ events: lines.map((message) => ({ message: `${message} ` })) }]
      return (await ask('a1')).json() as string[]
    }
    await set('mask')
    const masked = (await shown()).join('\n')
    const hidden = '•'.repeat(CARD.length)
    for (const text of [`heard my card is ${hidden}`, `CANARY ${hidden}`, call_sid, 'abc1'])
      expect(masked).toContain(text)
    expect(masked).not.toContain(CARD)
    await set('leave_out')
    const left = (await shown()).join('\n')
    for (const text of [CARD, 'CANARY', 'heard']) expect(left).not.toContain(text)
    for (const text of [call_sid, 'abc1', '"level":30']) expect(left).toContain(text)
    // nor do they come back
    await t.db
      .updateTable('switchroom_transcript_settings')
      .set({ words_since: new Date(AT - 1_000).toISOString() })
      .execute()
    await set('keep')
    expect((await shown()).join('\n')).toBe(left)
    await t.db.deleteFrom('switchroom_words_kept_before').execute()
    expect((await shown()).join('\n')).toContain(CARD)
    await t.db.deleteFrom('switchroom_transcript_settings').execute()
  })

  it('is masked also where a line is a megabyte of what is masked', async () => {
    // in a time that grew with its square, each would take longer than a test may
    const hostile = ['password:\\"', 'authorization', '["', '\\\\', 'token=', 'Bearer ', 'https://']
    const events = hostile.map((text) => ({
      message: JSON.stringify({ callSid: call_sid, msg: text.repeat(1_000_000 / text.length) }),
    }))
    const cut = `{"callSid":"${call_sid}","msg":"${'['.repeat(1_000_000)}`
    answers = [{ events: [...events, { message: cut }] }]
    expect((await ask('a1-viewer')).statusCode).toBe(200)
  })

  it('has no lines of other calls or accounts, even if CloudWatch returns them', async () => {
    const mine = [
      line({ accountSid: t.sids.a1 }),
      line({}),
      JSON.stringify({ callId: 'sip-1@pbx', msg: 'by its Call-ID' }),
    ]
    const foreign = [
      line({ accountSid: t.sids.b1 }),
      line({ callSid: randomUUID() }),
      JSON.stringify({ callId: 'sip-1@pbx', accountSid: t.sids.b1 }),
      JSON.stringify({ msg: call_sid }),
      'null',
      call_sid,
    ]
    answers = [{ events: [...foreign, ...mine].map((message) => ({ message })) }]
    expect((await ask()).json()).toEqual(mine)
  })

  it('leaves out a Call-ID with special characters', async () => {
    answers = [{}]
    expect((await ask('a1', hostile_sid)).json()).toEqual([])
    expect(requests[0]!.filterPattern).toBe(`{ ($.callSid = "${hostile_sid}") }`)
  })

  it('is marked as cut when it is too long', async () => {
    const events = Array.from({ length: 9_000 }, (_, n) => ({ message: line({ n }) }))
    answers = [
      { events, nextToken: '1' },
      { events, nextToken: '2' },
      { events, nextToken: '3' },
    ]
    const lines = (await ask()).json() as string[]
    expect(lines).toHaveLength(20_001)
    expect(lines.at(-1)).toContain('The rest of this log is in CloudWatch')
  })

  it('is unavailable when CloudWatch refuses, without its reason', async () => {
    answers = [{ status: 400 }]
    const answer = await ask()
    expect(answer.statusCode).toBe(503)
    expect(answer.json().msg).toBe('Could not read logs from CloudWatch (AccessDeniedException)')
    expect(`${answer.body}${t.lines.join()}`).not.toContain('canary-secret')
  })

  it('is not found without a call, nor for a provider', async () => {
    const none = await ask('a1', randomUUID())
    expect([none.statusCode, none.json().msg]).toEqual([404, 'Call not found'])
    expect((await ask('a2')).statusCode).toBe(404)
    expect((await ask('b1')).statusCode).toBe(404)
    const path = `/ServiceProviders/${t.sids.sp1}/RecentCalls/${call_sid}/logs`
    const below = await t.request('sp1', 'GET', path)
    expect(below.statusCode).toBe(400)
    expect(below.json().msg).toContain('account_sid is required')
    expect(requests).toEqual([])
  })
})
