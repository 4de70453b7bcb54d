import { NO_TRACE } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '../../test/app.ts'
import { tracedCalls } from '../../test/traced-calls.ts'

/** Attributes as feature servers send them, each with a secret. */
const SECRETS = {
  'http.url': 'https://u:CANARY-1@example.com/hook?api_key=CANARY-2&page=7',
  'http.headers': '{"Authorization":"Basic CANARY-3","x-api-key":"CANARY-4","Accept":"*/*"}',
  'http.body':
    '{"call_sid":"c1","digits":"CANARY-10","env_vars":{"pin":"CANARY-5"},"sip":{"raw":"INVITE sip:a\\r\\nAuthorization: Digest username=\\"u\\", response=\\"CANARY-6\\"\\r\\nTo: sip:b"}}',
  'http.request.header.authorization': 'CANARY-7',
  dtmf: 'CANARY-11',
  error:
    'synthesis failed: {\\"apiKey\\":\\"CANARY-8\\",\\"voice\\":\\"Joanna\\" password=CANARY-9',
}

const ids = {
  a1: 'a1'.repeat(16),
  b1: 'b1'.repeat(16),
  nobody: 'cc'.repeat(16),
  telling: 'ee'.repeat(16),
}

let t: Awaited<ReturnType<typeof tracedCalls>>
beforeAll(async () => {
  t = await tracedCalls({
    spans: Object.values(ids).map((traceId) => ({
      traceId,
      spanId: '1'.repeat(16),
      name: traceId === ids.telling ? 'dtmf:7' : `of ${traceId}`,
      kind: 1,
      startTimeUnixNano: '1700000000000000001',
      endTimeUnixNano: '1700000000000000009',
      attributes:
        traceId === ids.telling
          ? Object.entries(SECRETS).map(([key, stringValue]) => ({ key, value: { stringValue } }))
          : [{ key: 'tts.cached', value: { boolValue: false } }],
    })),
    calls: [
      ['a1', ids.a1],
      ['b1', ids.b1],
      ['a1', ids.telling],
    ],
  })
})
afterAll(() => t.close())

const ask = (who: string, owner: keyof TestApp['sids'], trace_id: string) =>
  t.ask(who, owner, `trace/${trace_id}`)

describe('a trace', () => {
  it.each([
    ['a1', 'a1'],
    ['a1-viewer', 'a1'],
    ['sp1', 'a1'],
    ['sp1', 'sp1'],
    ['admin', 'a1'],
    ['admin', 'sp1'],
  ] as const)('is returned to %s below %s, in the format of clients', async (who, owner) => {
    const answer = await ask(who, owner, ids.a1.toUpperCase())
    expect(answer.statusCode, answer.body).toBe(200)
    const scopeSpans = [
      {
        scope: { name: '', version: '' },
        spans: [
          {
            traceId: ids.a1,
            spanId: '1'.repeat(16),
            parentSpanId: '',
            name: `of ${ids.a1}`,
            kind: 'SPAN_KIND_INTERNAL',
            startTimeUnixNano: '1700000000000000001',
            endTimeUnixNano: '1700000000000000009',
            attributes: [{ key: 'tts.cached', value: { boolValue: false } }],
          },
        ],
      },
    ]
    expect(answer.json()).toEqual({
      resourceSpans: [
        { resource: { attributes: [] }, scopeSpans, instrumentationLibrarySpans: scopeSpans },
      ],
    })
  })

  it.each([
    ['another account’s below one’s own', 'a1', 'a1', ids.b1],
    ['another account’s below it', 'a2', 'a1', ids.a1],
    ['another provider’s below one’s own', 'sp1', 'sp1', ids.b1],
    ['another provider’s below it', 'sp2', 'sp1', ids.a1],
    ['of an account below another', 'admin', 'a2', ids.a1],
    ['without a call', 'admin', 'a1', ids.nobody],
    ['that there is none', 'admin', 'a1', NO_TRACE],
    ['that was not kept', 'admin', 'a1', 'dd'.repeat(16)],
  ] as const)('is not found: %s', async (_, who, owner, trace_id) => {
    const answer = await ask(who, owner, trace_id)
    expect(answer.statusCode).toBe(404)
    expect(answer.body).not.toContain('resourceSpans')
  })

  it('tells view-only callers no secret, and leaves them the rest', async () => {
    const whole = await ask('a1', 'a1', ids.telling)
    for (let n = 1; n <= 11; n++) expect(whole.body).toContain(`CANARY-${n}`)
    expect(whole.body).toContain('dtmf:7')
    for (const [who, owner] of [
      ['a1-viewer', 'a1'],
      ['sp1-viewer', 'sp1'],
      ['admin-viewer', 'a1'],
    ] as const) {
      const { statusCode, body } = await ask(who, owner, ids.telling)
      expect([statusCode, body]).toEqual([200, expect.not.stringContaining('CANARY')])
      expect(body).not.toContain('dtmf:7')
      for (const rest of ['example.com/hook', 'page=7', '*/*', 'c1', 'To: sip:b', 'Joanna'])
        expect(body).toContain(rest)
    }
  })

  it.each(['x', 'a'.repeat(31), `${'a'.repeat(31)}'`])('rejects the id %s', async (id) => {
    expect((await ask('admin', 'a1', id)).statusCode).toBe(400)
  })
})
