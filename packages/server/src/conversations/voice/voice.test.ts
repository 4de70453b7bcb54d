import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api, type Call, lastDaysFrom, type VoiceFigures } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callRecord, testVoice } from '../../../test/voice.ts'
import type { VoiceCall, VoiceStore } from '../../stores/voice/store.ts'
import { type Count, keyOf } from '../../talk/counts.ts'

const HOUR = 3_600_000
const NOW = Date.now()
const GOOGLE = keyOf('google', 'de-DE')
const HOSTILE = keyOf('a/b %', 'ü&=')

let t: TestApp
let voice: VoiceStore
let folder: string
let serial = 0

/** A call of an account with turns, some of them not understood, and one response time. */
function voiceCall(
  owner: 'a1' | 'a2' | 'b1',
  not_understood: number,
  ms: number,
  more: Partial<Call> = {},
): VoiceCall {
  const trace_id = (++serial).toString(16).padStart(32, '0')
  const application_sid = more.application_sid ?? null
  const counts = (['all', 'recognizer', 'application'] as const).flatMap((by): Count[] => {
    const key = { all: '', recognizer: GOOGLE, application: application_sid ?? '' }[by]
    return [
      ...(by === 'recognizer' ? [] : [{ by, key, measure: 'calls' as const, value: 0, n: 1 }]),
      { by, key, measure: 'turns', value: 0, n: 3 },
      ...(not_understood > 0
        ? [{ by, key, measure: 'not_understood' as const, value: 0, n: not_understood }]
        : []),
      { by, key, measure: 'response', value: ms, n: 1 },
    ]
  })
  const call = callRecord({
    account_sid: t.sids[owner],
    service_provider_sid: owner === 'b1' ? t.sids.sp2 : t.sids.sp1,
    call_sid: `call-${owner}-${serial}`,
    from: '15085550100',
    attempted_at: new Date(NOW - serial * 60_000 - HOUR).toISOString(),
    direction: 'inbound',
    trunk: 'North',
    trace_id,
    ...more,
  })
  return { trace_id, call, counts }
}

beforeAll(async () => {
  t = await testApp()
  folder = mkdtempSync(join(tmpdir(), 'switchroom-voice-'))
  voice = await testVoice('embedded', folder)
  t.ctx.stores.voice = voice
  const outbound = voiceCall('a1', 0, 500, { direction: 'outbound' })
  await voice.keep([
    voiceCall('a1', 2, 1_200, { application_sid: 'app-1' }),
    voiceCall('a1', 0, 3_400),
    {
      ...outbound,
      counts: [
        ...outbound.counts,
        { by: 'voice', key: HOSTILE, measure: 'prompts', value: 0, n: 1 },
      ],
    },
    voiceCall('a2', 1, 700),
    voiceCall('b1', 5, 9_900, { application_sid: 'app-b' }),
  ])
})
afterAll(async () => {
  await t.close()
  await voice.close()
  rmSync(folder, { recursive: true, force: true })
})

const requestFigures = async (who: string, path: string, query = 'days=1') => {
  const answer = await t.request(who, 'GET', `${path}/VoiceFigures?${query}`)
  return { status: answer.statusCode, body: answer.json() }
}
const figuresOf = async (who: string, path: string, query?: string): Promise<VoiceFigures> => {
  const { status, body } = await requestFigures(who, path, query)
  expect(status, JSON.stringify(body)).toBe(200)
  return api.accountVoice.figures.response.parse(body)
}
const account = (owner: 'a1' | 'a2' | 'b1') => `/Accounts/${t.sids[owner]}`
const provider = (owner: 'sp1' | 'sp2') => `/ServiceProviders/${t.sids[owner]}`

describe('figures of conversations', () => {
  it.each(['a1', 'a1-viewer', 'a1-key', 'sp1', 'sp1-viewer', 'admin'])(
    'are those of an account for %s',
    async (who) => {
      expect(await figuresOf(who, account('a1'))).toMatchObject({
        is_kept: true,
        calls: 3,
        turns: 9,
        not_understood: 2,
        response: { known: 3, p50: 1_200, p95: 3_400 },
        recognizers: [{ vendor: 'google', language: 'de-DE', turns: 9 }],
      })
    },
  )

  it('are those of a provider’s accounts, and never of others', async () => {
    for (const who of ['sp1', 'sp1-viewer', 'admin'])
      expect(await figuresOf(who, provider('sp1'))).toMatchObject({ calls: 4, not_understood: 3 })
    expect(await figuresOf('admin', provider('sp2'))).toMatchObject({ calls: 1, not_understood: 5 })
    expect((await requestFigures('a1', account('b1'))).status).toBe(404)
    expect((await requestFigures('a1', account('a2'))).status).toBe(404)
    expect((await requestFigures('sp1', account('b1'))).status).toBe(404)
    expect((await requestFigures('sp1', provider('sp2'))).status).toBe(404)
    expect((await requestFigures('a1', provider('sp1'))).status).toBe(403)
  })

  it('are those of one application, in the scope of its caller', async () => {
    const callsOf = async (who: string, path: string, application_sid: string) =>
      (await figuresOf(who, path, `days=1&application_sid=${application_sid}`)).calls
    expect(await callsOf('a1', account('a1'), 'app-1')).toBe(1)
    expect(await callsOf('a1', account('a1'), 'app-b')).toBe(0)
    expect(await callsOf('sp1', provider('sp1'), 'app-b')).toBe(0)
  })

  it('cover the requested period to the minute, in a time zone', async () => {
    const start = new Date(NOW - 2 * HOUR - 1_000).toISOString()
    const end = new Date(NOW - 1_000).toISOString()
    const zone = 'time_zone=Asia%2FKolkata'
    const { from, until, times, calls } = await figuresOf(
      'a1',
      account('a1'),
      `start=${start}&end=${end}&${zone}`,
    )
    expect([from, Date.parse(until)]).toEqual([start, NOW - 999])
    const days = await figuresOf('a1', account('a1'), `days=7&${zone}`)
    expect(Date.parse(days.from)).toBeGreaterThanOrEqual(lastDaysFrom(7, NOW))
    expect(Date.parse(days.from)).toBeLessThanOrEqual(lastDaysFrom(7, Date.now()))
    expect(times.reduce((sum, time) => sum + time.calls, 0)).toBe(calls)
  })

  it.each([
    ['', 'days'],
    ['days=x', 'days'],
    ['days=1&time_zone=Mars', 'time_zone'],
    [`days=1&application_sid=${'x'.repeat(129)}`, 'application_sid'],
    ['start=2026-01-02T00:00:00Z&end=2026-01-01T00:00:00Z', 'end'],
  ])('are refused with %.40j, naming the field', async (query, field) => {
    const { status, body } = await requestFigures('a1', account('a1'), query)
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: [field] }])
  })
})

describe('recent calls by what they count for', () => {
  const list = async (who: string, path: string, query: string) => {
    const answer = await t.request(who, 'GET', `${path}/RecentCalls?page=1&count=25&${query}`)
    return { status: answer.statusCode, body: answer.json() }
  }
  const totals = async (who: string, path: string, query: string) => {
    const { status, body } = await list(who, path, query)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.data).toHaveLength(body.total)
    return body.total
  }

  it.each([
    ['voice=not_understood', 1, 2],
    ['voice=response', 3, 4],
    ['voice=response&at_least=1200', 2, 2],
    ['at_least=3000', 1, 1],
    ['voice=hung_up', 0, 0],
    ['voice_of=recognizer/google/de-DE', 3, 4],
    ['voice_of=recognizer/google/de-DE&voice=not_understood', 1, 2],
    ['voice_of=recognizer/google/', 0, 0],
    [`voice_of=${encodeURIComponent('voice/a%2Fb%20%25/%C3%BC%26%3D')}`, 1, 1],
    ['voice=response&direction=outbound', 1, 1],
    ['voice=response&application_sid=app-1', 1, 1],
    ['voice=response&filter=5550100', 3, 4],
    ['voice=response&trunk=South', 0, 0],
  ])('are those with %s', async (query, ofAccount, ofProvider) => {
    for (const who of ['a1', 'a1-viewer', 'sp1', 'admin'])
      expect(await totals(who, account('a1'), `days=1&${query}`), who).toBe(ofAccount)
    expect(await totals('sp1', provider('sp1'), `days=1&${query}`)).toBe(ofProvider)
  })

  it('are never another owner’s', async () => {
    for (const [who, path] of [
      ['a1', account('a2')],
      ['a1', account('b1')],
      ['sp1', account('b1')],
      ['sp1', provider('sp2')],
    ] as const)
      expect((await list(who, path, 'days=1&voice=calls')).status).toBe(404)
    const { body } = await list('sp1', provider('sp1'), 'days=1&voice=calls')
    const owners = new Set(body.data.map((call: Call) => call.account_sid))
    expect(owners).toEqual(new Set([t.sids.a1, t.sids.a2]))
  })

  it('can be exported', async () => {
    const path = `${account('a1')}/RecentCalls/Export?days=1&voice=not_understood&format=ndjson`
    const answer = await t.request('a1', 'GET', path)
    expect(answer.statusCode).toBe(200)
    expect(
      answer.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).call_sid),
    ).toEqual(['call-a1-2'])
  })

  it.each([
    ['voice=x', 'voice'],
    ['voice_of=x', 'voice_of'],
    ['voice_of=recognizer/%25E0/x', 'voice_of'],
    ['voice=response&at_least=-1', 'at_least'],
    ['voice=response&at_least=x', 'at_least'],
  ])('are refused with %s, naming the field', async (query, field) => {
    const { status, body } = await list('a1', account('a1'), `days=1&${query}`)
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: [field] }])
  })
})

describe('where traces are kept elsewhere', () => {
  it('there are no figures, and no lists of them', async () => {
    t.ctx.stores.voice = undefined
    try {
      const found = await figuresOf('a1', account('a1'))
      expect(found).toMatchObject({ is_kept: false, calls: 0, times: [], recognizers: [] })
      const path = `${account('a1')}/RecentCalls?page=1&count=25&days=1&voice=calls`
      const answer = await t.request('a1', 'GET', path)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().issues).toMatchObject([{ path: ['voice'] }])
    } finally {
      t.ctx.stores.voice = voice
    }
  })
})
