import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api, type Conversation } from '@switchroom/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testTraces } from '../../../test/traces.ts'
import { hears, transcriptionWorld } from '../../../test/transcriptions.ts'

const BEGAN = Date.now() - 130_000
const trace_id = 'ab'.repeat(16)
const span = (id: number, [start, duration]: [number, number], name: string, stt?: string) => ({
  traceId: trace_id,
  spanId: String(id).padStart(16, '0'),
  parentSpanId: id === 1 ? '' : '1'.padStart(16, '0'),
  name,
  kind: 1,
  startTimeUnixNano: `${BEGAN + start}000000`,
  endTimeUnixNano: `${BEGAN + start + duration}000000`,
  attributes: stt ? [{ key: 'stt.resolve', value: { stringValue: stt } }] : [],
})
// the caller speaks at 1 and 6 seconds, the other side at 3 and 8
const spans = [
  span(1, [0, 10_000], 'incoming-call'),
  span(2, [0, 10], 'call-status:in-progress'),
  span(3, [0, 9_900], 'background-record:listen'),
  span(4, [500, 2_000], 'verb:gather{inputs=speech}', 'timeout'),
  span(5, [2_900, 2_300], 'verb:say{text=Welcome}'),
]

let w: Awaited<ReturnType<typeof transcriptionWorld>>
let traces: Awaited<ReturnType<typeof testTraces>>
const folder = mkdtempSync(join(tmpdir(), 'switchroom-heard-'))
beforeAll(async () => {
  w = await transcriptionWorld()
  traces = await testTraces('embedded', folder)
  Object.assign(w.ctx.stores, { traces })
  const sent = await fetch(`http://127.0.0.1:${traces.ports[0]}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  })
  expect(sent.status).toBe(200)
})
afterAll(async () => {
  await traces.close()
  await w.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => w.reset())

const conversation = (who = 'a1'): Promise<Conversation> =>
  w.as(who)(api.conversations.ofAccount, { params: { account_sid: w.sids.a1, trace_id } })
const turns = ({ entries }: Conversation) =>
  entries.flatMap((entry) => {
    if (entry.kind === 'event' || entry.kind === 'model') return []
    const text = entry.kind === 'recorded' ? entry.text : entry.from_recording
    return [`${entry.kind}: ${text}`]
  })

describe('a transcribed recording', () => {
  /** Texts that were handed to the search, in order. */
  let searchable: (readonly string[])[]
  let call_sid: string
  const transcribe = async () => {
    w.vendor.answer = () => hears('a number 4711')
    await w.start(call_sid, await w.addCredential('a1'))
    await w.ended(call_sid)
    await expect.poll(() => searchable).toEqual([Array(4).fill('a number 4711')])
  }
  const setPolicy = (words: 'mask' | 'leave_out') =>
    w.db
      .insertInto('switchroom_transcript_settings')
      .values({
        account_sid: w.sids.a1,
        words,
        words_since: null,
        speech_credential_sid: null,
        language: null,
        minutes_a_day: null,
      })
      .execute()

  beforeEach(async () => {
    searchable = []
    const voice = {
      async addRecorded(_: unknown, texts: readonly string[]) {
        searchable.push(texts)
      },
    }
    Object.assign(w.ctx.stores, { voice })
    call_sid = await w.addCall(undefined, { fields: { trace_id } })
  })
  // the calls have the same trace
  afterEach(() => w.forgetCalls())

  it('is shown in the call’s conversation, and handed to the search', async () => {
    const before = await conversation()
    expect(turns(before)).toEqual(['heard: null', 'said: null'])
    expect(before.transcribed).toBeNull()
    await transcribe()
    for (const who of ['a1', 'a1-viewer', 'sp1', 'admin']) {
      const after = await conversation(who)
      expect(turns(after)).toEqual([
        'heard: a number 4711',
        'said: a number 4711',
        'recorded: a number 4711',
        'recorded: a number 4711',
      ])
      expect(after.transcribed).toEqual({ vendor: 'deepgram', language: 'en-US' })
    }
  })

  it('is masked if the account masks transcripts', async () => {
    await transcribe()
    await setPolicy('mask')
    expect(turns(await conversation())[0]).toBe('heard: a number ••••')
  })

  it('is left out if the account keeps no transcripts', async () => {
    await transcribe()
    await setPolicy('leave_out')
    expect(turns(await conversation())).toEqual(['heard: null', 'said: null'])
  })

  it('is neither shown nor searched once it is removed', async () => {
    await transcribe()
    await w.remove(call_sid)
    expect(turns(await conversation())).toEqual(['heard: null', 'said: null'])
    expect(searchable.at(-1)).toEqual([])
  })
})

it('the words of a first leg’s recording are shown for the call found by its other leg', async () => {
  const sip_callid = randomUUID()
  const call_sid = await w.addCall(undefined, { fields: { sip_callid } })
  await w.start(call_sid, await w.addCredential('a1'))
  await w.ended(call_sid)
  const other = await w.addCall(null, { fields: { sip_parent_callid: sip_callid } })
  const { heardIn } = await import('./heard-in.ts')
  const leg = (await w.ctx.stores.calls.find({}, { call_sid: other }))!
  expect(await heardIn(w.ctx, leg)).toMatchObject({ call_sid, state: 'done' })
  expect(await heardIn(w.ctx, { ...leg, sip_parent_callid: null })).toBeUndefined()
  expect(await heardIn(w.ctx, { ...leg, account_sid: w.sids.a2 })).toBeUndefined()
})
