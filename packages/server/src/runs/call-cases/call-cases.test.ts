import { randomUUID } from 'node:crypto'
import { api, CallCase } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  answered,
  call,
  type ExampleSpan,
  gather,
  hook,
  over,
  result,
  say,
  span,
} from '../../../test/conversations/example.ts'
import { asSpans } from '../../../test/conversations.ts'
import { newApplication } from '../../../test/played-runs.ts'
import { tracedCalls } from '../../../test/traced-calls.ts'

const ids = { a1: 'a1'.repeat(16), b1: 'b1'.repeat(16), none: 'cc'.repeat(16) }
const HERE = randomUUID()
const spans = (application_sid: string): ExampleSpan[] => [
  call(30_000),
  span('l', 'a', 10, 5, 'lookupApplication', { application_sid }),
  answered(200),
  say('s', 300, 900, 'Hello Ann, how ...'),
  gather('g', 1_300, 4_000, 'inputs=speech', 'speech', result('a "table" for two', 0.9)),
  hook('h', 'g', 4_500, 300, '/said', {}),
  over(16_000, 'jambonz'),
]

let t: Awaited<ReturnType<typeof tracedCalls>>
beforeAll(async () => {
  t = await tracedCalls({
    spans: [
      ...asSpans({ spans: spans(HERE) }, ids.a1),
      ...asSpans({ spans: spans(HERE) }, ids.b1),
      ...asSpans({ spans: spans(randomUUID()) }, ids.none),
    ],
    calls: [
      ['a1', ids.a1],
      ['b1', ids.b1],
      ['a1', ids.none],
    ],
  })
  const sid = await newApplication(t.app, 'https://ivr.example/call', {
    name: 'Booking',
    env_vars: { LANGUAGE: 'en', size: 3, API_TOKEN: 'CANARY' },
  })
  await t.app.db
    .updateTable('applications')
    .set({ application_sid: HERE })
    .where('application_sid', '=', sid)
    .execute()
})
afterAll(() => t.close())

const ask = (who: string, owner: 'a1' | 'a2' | 'b1', trace_id: string) =>
  t.ask(who, owner, `test-case/${trace_id}`)

describe('a call as a test case', () => {
  it.each(['a1', 'sp1', 'admin'])(
    'is told to %s, with a file for the command line',
    async (who) => {
      const answer = await ask(who, 'a1', ids.a1)
      expect(answer.statusCode, answer.body).toBe(200)
      const found = CallCase.parse(answer.json())
      expect(found).toMatchObject({
        application_sid: HERE,
        start: { direction: 'inbound', from: 'anonymous' },
        notes: [],
      })
      expect(found.steps).toHaveLength(4)
      expect(found.file).toBe(`application: "Booking"
from: "anonymous"
to: "anonymous"
env:
  "LANGUAGE": "en"
  "size": 3
cases:
  - name: ${JSON.stringify(found.name)}
    script:
      - says: "Hello Ann, how"
        # or, where this varies: says: "/Hello \\\\S+, how/"
      - asks: speech
      - caller: "a \\"table\\" for two"
      - hangs_up
`)
    },
  )

  it.each([
    ['another account’s below one’s own', 'a1', 'a1', ids.b1],
    ['another account’s below it', 'a2', 'a1', ids.a1],
    ['of an account below another', 'admin', 'a2', ids.a1],
    ['without a call', 'admin', 'a1', 'dd'.repeat(16)],
  ] as const)('is not found: %s', async (_, who, owner, trace_id) => {
    const answer = await ask(who, owner, trace_id)
    expect(answer.statusCode).toBe(404)
    expect(answer.body).not.toContain('steps')
  })

  it('names no application that the caller cannot see', async () => {
    const found = async (who: string, owner: 'a1' | 'b1', id: string) =>
      (await ask(who, owner, id)).json()
    // the trace names another account's
    expect(await found('b1', 'b1', ids.b1)).toMatchObject({ application_sid: null })
    expect(await found('b1', 'b1', ids.b1)).not.toMatchObject({
      file: expect.stringContaining('Booking'),
    })
    expect(await found('admin', 'a1', ids.none)).toMatchObject({ application_sid: null })
  })

  it('shows no environment variables to those who may not read them', async () => {
    for (const who of ['a1-viewer', 'sp1-viewer', 'admin-viewer'] as const) {
      const answer = await ask(who, 'a1', ids.a1)
      expect([answer.statusCode, answer.json()]).toMatchObject([200, { file: '' }])
      expect(answer.json().steps).toHaveLength(4)
    }
    const of = { body: { account_sid: t.app.sids.a1!, kinds: ['calls' as const] } }
    const { token } = await t.app.as('a1')(api.apiKeys.create, of as never)
    const { statusCode, body } = await t.app.app.inject({
      url: `/v1/Accounts/${t.app.sids.a1}/RecentCalls/test-case/${ids.a1}`,
      headers: { authorization: `Bearer ${token}` },
    })
    expect([statusCode, body]).toEqual([200, expect.not.stringContaining('LANGUAGE')])
  })

  it('is taken as a test case as it is, which leaves an audit entry', async () => {
    const { name, start, steps }: CallCase = (await ask('a1', 'a1', ids.a1)).json()
    const { sid } = await t.app.as('a1')(api.testCases.create, {
      params: { application_sid: HERE },
      body: {
        ...{ name, start },
        answers: steps.flatMap((step) =>
          step.kind === 'caller' && step.answer ? [step.answer] : [],
        ),
        expectations: steps.flatMap((step) => (step.kind === 'expects' ? [step.expected] : [])),
      },
    })
    const { data } = await t.app.as('a1')(api.audit.list, { query: { page: 1, sid } })
    expect(data).toMatchObject([{ action: 'create', kind: 'test_case' }])
  })
})
