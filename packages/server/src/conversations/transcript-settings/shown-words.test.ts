import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Conversation, Trace } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, type TestStore, testStore } from '../../../test/calls.ts'
import { asSpans, examples } from '../../../test/conversations.ts'
import { jaegerTraces } from '../../stores/traces/jaeger/store.ts'

const OF_A1 = 'a1'.repeat(16)
const OF_A2 = 'a2'.repeat(16)
const OF_NOBODY = 'a3'.repeat(16)
const LATER_OF_A1 = 'a4'.repeat(16)
const LATER_OF_NOBODY = 'a5'.repeat(16)
const HOUR_MS = 3_600_000
const hoursAgo = (hours: number) => Date.now() - hours * HOUR_MS
const example = examples.find(({ name }) => name === 'A menu with digits and a recording')!

let t: TestApp
let calls: TestStore
let jaeger: Server
beforeAll(async () => {
  t = await testApp()
  calls = await testStore('embedded')
  jaeger = createServer((request, response) => {
    const trace_id = /\/api\/v3\/traces\/(\w+)$/.exec(request.url ?? '')![1]!
    const spans = asSpans(example, trace_id)
    const result = { resourceSpans: [{ resource: {}, scopeSpans: [{ spans }] }] }
    response.end(JSON.stringify({ result }))
  })
  await new Promise<void>((resolve) => jaeger.listen(0, '127.0.0.1', resolve))
  const { sids } = t
  const lines = [
    [OF_A1, sids.a1, 5],
    [OF_A2, sids.a2, 5],
    [OF_NOBODY, undefined, 5],
    [LATER_OF_A1, sids.a1, 1],
    [LATER_OF_NOBODY, undefined, 1],
  ] as const
  const sent = lines.map(([trace_id, account_sid, hours], ns) =>
    callLine({
      ...{ ms: hoursAgo(hours), ns },
      tags: { ...(account_sid && { account_sid }), service_provider_sid: sids.sp1 },
      fields: {
        ...{ call_sid: randomUUID(), sip_callid: randomUUID(), trace_id },
        terminated_at: hoursAgo(hours) + 60_000,
      },
    }),
  )
  expect((await send(calls, sent.join('\n'))).status).toBe(204)
  const { port } = jaeger.address() as AddressInfo
  Object.assign(t.ctx.stores, {
    calls: calls.calls,
    traces: jaegerTraces(`http://127.0.0.1:${port}`),
  })
})
afterAll(async () => {
  await calls.close()
  await t.close()
  await new Promise((resolve) => jaeger.close(resolve))
})

const set = async (words: string) =>
  expect(
    (await t.request('a1', 'PUT', `/Accounts/${t.sids.a1}/TranscriptSettings`, { words }))
      .statusCode,
  ).toBe(204)
const path = (below: 'account' | 'provider', what: string, trace_id: string) =>
  below === 'account'
    ? `/Accounts/${trace_id === OF_A2 ? t.sids.a2 : t.sids.a1}/RecentCalls/${what}/${trace_id}`
    : `/ServiceProviders/${t.sids.sp1}/RecentCalls/${what}/${trace_id}`
async function shown<T>(
  who: string,
  ...of: Parameters<typeof path>
): Promise<T & { text: string }> {
  const { statusCode, body } = await t.request(who, 'GET', path(...of))
  expect(statusCode, body).toBe(200)
  return { ...JSON.parse(body), text: body }
}

describe('what Jaeger keeps', () => {
  it.each([
    ['a1', 'account'],
    ['sp1', 'provider'],
    ['admin', 'account'],
  ] as const)('is shown to %s below an %s as the call’s account wants it', async (who, below) => {
    await set('keep')
    const kept = await shown<Conversation>(who, below, 'conversation', OF_A1)
    expect(kept).toMatchObject({ words: 'keep' })
    expect(kept.text).toContain('"digits":"4*11"')

    await set('mask')
    const masked = await shown<Conversation>(who, below, 'conversation', OF_A1)
    expect(masked).toMatchObject({ words: 'mask' })
    expect(masked.text).toContain('"digits":"•*••"')
    expect(masked.text).toContain('Please enter yo')
    const trace = await shown<Trace>(who, below, 'trace', OF_A1)
    expect(trace.text).not.toMatch(/4\*11|dtmf:\d/)

    await set('leave_out')
    const left = await shown<Conversation>(who, below, 'conversation', OF_A1)
    expect(left).toMatchObject({ words: 'leave_out' })
    for (const text of [left.text, (await shown<Trace>(who, below, 'trace', OF_A1)).text])
      expect(text).not.toMatch(/4\*11|•[*•]••|Please enter|Thank you/)
    const times = ({ entries }: Conversation) => entries.map(({ kind, at }) => ({ kind, at }))
    expect(times(left)).toEqual(times(kept))
    expect(left.median_ms).toBe(kept.median_ms)
  })

  it('is another account’s as that one wants it', async () => {
    await set('leave_out')
    const { text } = await shown<Conversation>('sp1', 'provider', 'conversation', OF_A2)
    expect(text).toContain('"digits":"4*11"')
  })

  it('stays masked or left out if the account wanted that when the call was', async () => {
    const texts = async (trace_id: string) =>
      Promise.all(
        (['conversation', 'trace'] as const).map(
          async (what) => (await shown('sp1', 'provider', what, trace_id)).text,
        ),
      )
    await set('keep')
    await t.db.deleteFrom('switchroom_words_kept_before').execute()
    for (const words of ['mask', 'leave_out']) {
      await set(words)
      await t.db
        .updateTable('switchroom_transcript_settings')
        .set({ words_since: new Date(hoursAgo(2)).toISOString() })
        .execute()
      await set('keep')
      for (const of of [LATER_OF_A1, LATER_OF_NOBODY]) {
        const [conversation, trace] = await texts(of)
        expect(conversation).toContain(`"words":"${words}"`)
        expect(conversation!.includes('Please enter')).toBe(words === 'mask')
        for (const text of [conversation, trace]) expect(text).not.toMatch(/4\*11|dtmf:\d/)
      }
      // what was written before that comes back
      for (const of of [OF_A1, OF_NOBODY]) expect((await texts(of))[0]).toContain('"digits":"4*11"')
      const others = await shown('sp1', 'provider', 'conversation', OF_A2)
      expect(others.text).toContain('"digits":"4*11"')
    }
    // the strictest of several counts, and what the account wants now
    await set('mask')
    expect((await texts(LATER_OF_A1))[0]).not.toContain('Please enter')
    expect((await texts(OF_A1))[0]).toContain('Please enter')
    await set('keep')
  })

  it('is as the strictest account wants it if the call’s is not known', async () => {
    await set('mask')
    const { text } = await shown<Conversation>('admin', 'provider', 'conversation', OF_NOBODY)
    expect(text).toContain('"digits":"•*••"')
  })
})
