import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest'
import { PARTS, SPOKEN, transcriptionWorld } from '../../../test/transcriptions.ts'
import type { Context } from '../../http/context.ts'
import { transcribeAccount } from './automatic.ts'
import * as transcriptions from './queries.ts'
import { startTranscribing } from './watch.ts'

let w: Awaited<ReturnType<typeof transcriptionWorld>>
beforeAll(async () => {
  w = await transcriptionWorld()
})
afterAll(() => w.close())
afterEach(() => void vi.restoreAllMocks())

let speech_credential_sid: string
beforeEach(async () => {
  await w.reset()
  await w.forgetCalls()
  for (const table of [
    'switchroom_transcriptions',
    'switchroom_transcription_parts',
    'switchroom_transcribing',
  ] as const)
    await w.db.deleteFrom(table).execute()
  speech_credential_sid = await w.addCredential('a1')
  await want()
})

const want = (minutes_a_day = 10) =>
  w.db
    .insertInto('switchroom_transcript_settings')
    .values({
      ...{ account_sid: w.sids.a1, words: 'keep', words_since: null, speech_credential_sid },
      ...{ language: null, minutes_a_day },
    })
    .execute()

/** Transcribes an account's calls as the loop does, in any process. */
const round = (minutes_a_day = 10, ctx: Context = w.ctx, stop = new AbortController().signal) =>
  transcribeAccount(
    ctx,
    {
      account_sid: w.sids.a1,
      automatic: { speech_credential_sid, language: null, minutes_a_day },
    },
    stop,
  )
/** The account has wanted it for an hour. */
const wantedSince = async (ms = 3_600_000) => {
  await round()
  await w.db
    .updateTable('switchroom_transcribing')
    .set({ seen_until: Date.now() - ms })
    .execute()
}
const account = async () => {
  const row = await w.db.selectFrom('switchroom_transcribing').selectAll().executeTakeFirstOrThrow()
  return { ...row, used_ms: Number(row.used_ms), paused_until: Number(row.paused_until) }
}
const rows = () =>
  w.db.selectFrom('switchroom_transcriptions').selectAll().orderBy('called_at').execute()
const begunBefore = (ms: number, call_sid: string) =>
  w.db
    .updateTable('switchroom_transcriptions')
    .set({ begun_at: new Date(Date.now() - ms).toISOString() })
    .where('call_sid', '=', call_sid)
    .execute()
/** Sets a call's state. A running one belongs to a process that was killed. */
const setState = (call_sid: string, state: 'waiting' | 'running') =>
  w.db
    .updateTable('switchroom_transcriptions')
    .set({ state, seen_at: state === 'running' ? Date.now() - 31_000 : null })
    .where('call_sid', '=', call_sid)
    .execute()
const isNone = (call_sid: string) => expect(w.view(call_sid)).rejects.toMatchObject({ status: 404 })

describe('automatic transcription', () => {
  it('does calls that ended since the account wants it, each once', async () => {
    const before = await w.addCall(SPOKEN, { ended: Date.now() - 2 * 3_600_000 })
    await wantedSince()
    const recent = await w.addCall(SPOKEN, { ended: Date.now() - 30_000 })
    const calls = [await w.addCall(), await w.addCall()]
    const others = await w.addCall(SPOKEN, { who: 'a2' })
    await round()
    for (const call_sid of calls)
      expect(await w.view(call_sid)).toMatchObject({
        ...{ state: 'done', is_automatic: true, speech_credential_sid, language: 'en-US' },
      })
    for (const call_sid of [before, recent]) await isNone(call_sid)
    await expect(w.view(others, 'a2', w.sids.a2)).rejects.toMatchObject({ status: 404 })
    await round()
    expect(w.requests).toHaveLength(2 * PARTS)
  })

  it('does not do again what somebody removed or had done', async () => {
    await wantedSince()
    const own = await w.addCall()
    await w.start(own, speech_credential_sid)
    await w.ended(own)
    const removed = await w.addCall()
    await round()
    await w.remove(removed)
    await round()
    await isNone(removed)
    expect(await w.view(own)).toMatchObject({ is_automatic: false })
    expect(w.requests).toHaveLength(2 * PARTS)
  })

  it('does one call at a time, and no call in two processes', async () => {
    await wantedSince()
    let [now, most] = [0, 0]
    w.vendor.answer = async (one) => {
      most = Math.max(most, ++now)
      await held.promise
      now--
      return w.usual(one)
    }
    const held = Promise.withResolvers<void>()
    for (let i = 0; i < 4; i++) await w.addCall()
    const others = [await w.otherProcess(), await w.otherProcess()]
    const isAllDone = async () => {
      const all = await rows()
      return all.length === 4 && all.every(({ state }) => state === 'done')
    }
    let left = 0
    const work = async (ctx: Context) => {
      await round(10, ctx)
      left++
      // each looks until there is nothing left
      while (!(await isAllDone())) await round(10, ctx)
    }
    const working = [w.ctx, ...others.map(({ ctx }) => ctx)].map(work)
    // the others find nothing to do in the meantime
    await expect.poll(() => left).toBe(2)
    await expect.poll(() => now).toBe(3)
    held.resolve()
    await Promise.all(working)
    expect(w.requests).toHaveLength(4 * PARTS)
    expect(most).toBeLessThanOrEqual(3)
    for (const other of others) await other.close()
  })

  it('waits for recordings, but not without end', async () => {
    await wantedSince()
    const late = await w.addCall(null)
    const never = await w.addCall(null)
    await round()
    expect((await rows()).map(({ state }) => state)).toEqual(['waiting', 'waiting'])
    await isNone(late)
    await expect(w.remove(late)).rejects.toMatchObject({ status: 404 })
    await w.addRecording(late, SPOKEN)
    await round()
    expect(await w.view(late)).toMatchObject({ state: 'done' })
    await begunBefore(11 * 60_000, never)
    await round()
    expect(await rows()).toHaveLength(1)
  })

  it('waits a day for a store that cannot be read', async () => {
    await wantedSince()
    const call_sid = await w.addCall(null)
    await round()
    const stores = { ...w.ctx.stores, calls: Object.create(w.ctx.stores.calls) }
    stores.calls.find = () => Promise.reject(new Error('away'))
    const away = { ...w.ctx, stores }
    await begunBefore(23 * 3_600_000, call_sid)
    await round(10, away)
    await w.addRecording(call_sid, SPOKEN)
    await round()
    expect(await w.view(call_sid)).toMatchObject({ state: 'done' })
    await setState(call_sid, 'waiting')
    await begunBefore(25 * 3_600_000, call_sid)
    await round(10, away)
    expect(await rows()).toEqual([])
  })

  it('tries what was interrupted no more without its recording', async () => {
    await wantedSince()
    const call_sid = await w.addCall(null)
    await round()
    await setState(call_sid, 'running')
    await begunBefore(11 * 60_000, call_sid)
    await round()
    expect(await rows()).toMatchObject([{ state: 'running', tries: 3 }])
    expect(await w.view(call_sid)).toMatchObject({ state: 'interrupted' })
  })

  it('lets somebody begin what waits', async () => {
    await wantedSince()
    const call_sid = await w.addCall(null)
    await round()
    await w.addRecording(call_sid, SPOKEN)
    await w.start(call_sid, speech_credential_sid)
    expect(await w.ended(call_sid)).toMatchObject({ state: 'done', is_automatic: false })
  })

  it('sends no more than the minutes of the day', async () => {
    await wantedSince()
    // each has some seven seconds of speech
    for (let i = 0; i < 12; i++) await w.addCall()
    await round(1)
    const { used_ms } = await account()
    expect(used_ms).toBeGreaterThan(45_000)
    expect(used_ms).toBeLessThanOrEqual(60_000)
    const all = await rows()
    expect(all.length).toBeGreaterThan(5)
    expect(all.every(({ state }) => state === 'done')).toBe(true)
    expect(all.length).toBeLessThan(9)
    // the next day
    await w.db.updateTable('switchroom_transcribing').set({ day: '2020-01-01' }).execute()
    const call_sid = await w.addCall(SPOKEN, { ended: Date.now() - 61_000 })
    await w.db
      .updateTable('switchroom_transcribing')
      .set({ seen_until: Date.now() - 62_000 })
      .execute()
    await round(1)
    expect(await w.view(call_sid)).toMatchObject({ state: 'done' })
    expect((await account()).used_ms).toBeLessThan(9_000)
  })

  it('gives back what was not sent', async () => {
    await wantedSince()
    w.vendor.answer = () => ({ status: 401 })
    await w.addCall()
    await round()
    const { used_ms } = await account()
    expect(used_ms).toBeGreaterThan(0)
    expect(used_ms).toBeLessThan(6_500)
  })

  it('gives nothing back to the next day, of which others have taken', async () => {
    await wantedSince()
    await w.addCall()
    const next = Date.now() + 86_400_000
    const taken = { day: new Date(next).toISOString().slice(0, 10), used_ms: 20_000 }
    w.vendor.answer = async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: next })
      await w.db.updateTable('switchroom_transcribing').set(taken).execute()
      return { status: 401 }
    }
    onTestFinished(() => void vi.useRealTimers())
    await round()
    expect(await account()).toMatchObject(taken)
  })

  it('leaves a service alone for an hour after some failures in a row', async () => {
    await wantedSince()
    w.vendor.answer = () => ({ status: 401, body: { message: 'canary words' } })
    for (let i = 0; i < 6; i++) await w.addCall()
    await round()
    expect((await rows()).filter(({ state }) => state === 'failed')).toHaveLength(3)
    const paused = w.lines.filter((line) => line.includes('pauses for an hour'))
    expect(paused).toHaveLength(1)
    expect(w.lines.join()).not.toContain('canary words')
    w.requests.length = 0
    await round()
    expect(w.requests).toEqual([])
    await w.db.updateTable('switchroom_transcribing').set({ paused_until: 0 }).execute()
    w.vendor.answer = w.usual
    await round()
    expect((await rows()).filter(({ state }) => state === 'done')).toHaveLength(3)
  })

  it('pauses when the account may not use the service any more', async () => {
    await wantedSince()
    await w.addCall()
    await w.db.deleteFrom('speech_credentials').execute()
    await round()
    expect((await account()).paused_until).toBeGreaterThan(Date.now())
    expect(w.requests).toEqual([])
  })

  it('goes on with what a killed process had begun, but not for ever', async () => {
    await wantedSince()
    const call_sid = await w.addCall()
    await round()
    const at = w.db.updateTable('switchroom_transcriptions').where('call_sid', '=', call_sid)
    await at.set({ state: 'running', seen_at: Date.now() - 31_000 }).execute()
    const part = w.db.updateTable('switchroom_transcription_parts').where('number', '=', 1)
    await part.set({ text: null }).execute()
    w.requests.length = 0
    await round()
    expect(await w.view(call_sid)).toMatchObject({ state: 'done', is_automatic: true })
    expect(w.requests).toHaveLength(1)
    await at.set({ state: 'running', seen_at: Date.now() - 31_000, tries: 3 }).execute()
    await round()
    expect(await w.view(call_sid)).toMatchObject({ state: 'interrupted' })
    // the text is kept even if the day's budget is spent
    await at.set({ tries: 1 }).execute()
    await part.set({ text: null }).execute()
    await w.db
      .updateTable('switchroom_transcribing')
      .set({ day: new Date().toISOString().slice(0, 10), used_ms: 10 * 60_000 - 100 })
      .execute()
    await round()
    const left = await w.view(call_sid)
    expect(left.state).toBe('done')
    expect(left.parts.map(({ text }) => text !== null)).toEqual([true, false, true, true])
    expect(left.parts[1]!.error).toMatch(/minutes/)
  })

  it('finds all calls of a busy minute', async () => {
    await wantedSince()
    vi.spyOn(w.ctx.stores.recordings, 'find').mockResolvedValue(undefined)
    const ended = Date.now() - 70_000
    for (let i = 0; i < 1_100; i += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, j) => w.addCall(null, { ended: ended - i - j })),
      )
    await round()
    expect(await rows()).toHaveLength(1_100)
  })
})

describe('the loop', () => {
  it('works for accounts that want it, and forgets the others', async () => {
    await wantedSince()
    const call_sid = await w.addCall()
    const transcribing = startTranscribing(w.ctx)
    await transcribing.look()
    await expect.poll(async () => (await rows()).map(({ state }) => state)).toEqual(['done'])
    expect(await w.view(call_sid)).toMatchObject({ is_automatic: true })
    await w.addCall(null)
    await transcribing.stop()
    await round()
    await w.db.updateTable('switchroom_transcript_settings').set({ minutes_a_day: null }).execute()
    const later = startTranscribing(w.ctx)
    await later.look()
    await later.stop()
    expect((await account()).seen_until).toBeNull()
    expect((await rows()).map(({ state }) => state)).toEqual(['done'])
  })

  it('stops', async () => {
    await wantedSince()
    for (let i = 0; i < 3; i++) await w.addCall()
    const held = Promise.withResolvers<void>()
    w.vendor.answer = (one) => ({ ...w.usual(one), after: held.promise })
    const transcribing = startTranscribing(w.ctx)
    await transcribing.look()
    await expect.poll(() => w.requests.length).toBeGreaterThan(0)
    const stopped = transcribing.stop()
    held.resolve()
    await stopped
    const states = (await rows()).map(({ state }) => state)
    expect(states.filter((state) => state === 'waiting').length).toBeGreaterThan(0)
    expect(w.ctx.memory.transcriptions.size).toBe(0)
    expect(await transcriptions.countRunning(w.db, w.sids.a1)).toBe(0)
  })
})
