import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { WordsKept } from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noise, stereo, stereoMp3, stereoWav } from '../../../test/recordings.ts'
import {
  hears,
  LONG,
  PARTS,
  SPOKEN,
  soundOf,
  transcriptionWorld,
} from '../../../test/transcriptions.ts'
import * as transcriptions from './queries.ts'

const CANARY = 'canary-7f3a-0c11'

let w: Awaited<ReturnType<typeof transcriptionWorld>>
beforeAll(async () => {
  w = await transcriptionWorld()
})
afterAll(() => w.close())
beforeEach(() => w.reset())

const setWords = (words: WordsKept) =>
  w.db
    .insertInto('switchroom_transcript_settings')
    .values({
      ...{ account_sid: w.sids.a1, words, words_since: null, speech_credential_sid: null },
      ...{ language: null, minutes_a_day: null },
    })
    .execute()
const refused = (status: number, message?: string | RegExp) => ({
  status,
  ...(message !== undefined && { message: expect.stringMatching(message) }),
})

describe('the plan', () => {
  it('tells how much speech there is, and the account’s services', async () => {
    const call_sid = await w.addCall()
    const own = await w.addCredential('a1', { label: 'mine' })
    const shared = await w.addCredential('sp1')
    for (const other of ['a2', 'b1', 'sp2', 'nobody'] as const) await w.addCredential(other)
    await w.addCredential('a1', { use_for_stt: 0 })
    await w.addCredential('a1', { use_for_stt: null })
    await w.addCredential('a1', { vendor: 'rimelabs' })
    await w.addCredential('a1', { vendor: 'vendor-of-yore' })
    for (const who of ['a1', 'a1-viewer', 'a1-key', 'sp1', 'admin']) {
      const plan = await w.plan(call_sid, who)
      expect(plan).toMatchObject({ length_ms: 10_000, requests: PARTS })
      expect(plan.speech_ms.caller).toBeGreaterThan(3_000)
      expect(plan.speech_ms.caller).toBeLessThan(3_700)
      expect(plan.speech_ms.other).toBeGreaterThan(3_500)
      const of = { vendor: 'deepgram', language: 'en-US' }
      expect(plan.services).toEqual([
        { ...of, speech_credential_sid: shared, label: null },
        { ...of, speech_credential_sid: own, label: 'mine' },
      ])
    }
    expect(w.requests).toEqual([])
    await expect(w.view(call_sid)).rejects.toMatchObject(refused(404))
  })

  it('reads a recording once, and start does not read it again', async () => {
    const call_sid = await w.addCall(await stereoMp3(stereo(3, [noise(0.001), noise(0.001)])), {
      format: 'mp3',
    })
    const first = await w.plan(call_sid)
    expect(first).toMatchObject({ requests: 0, speech_ms: { caller: 0, other: 0 } })
    // it would not be read any longer
    await w.addRecording(call_sid, Buffer.from('garbage'), { format: 'mp3' })
    expect(await w.plan(call_sid)).toEqual(first)
    await w.start(call_sid, await w.addCredential('a1'))
    expect(await w.ended(call_sid)).toMatchObject({ state: 'done', parts: [] })
    await expect(w.plan(call_sid)).rejects.toMatchObject(refused(422))
  })

  it('keeps few recordings, and leaves no files', async () => {
    for (let i = 0; i < 6; i++) await w.plan(await w.addCall())
    expect(w.ctx.memory.readRecordings.size).toBeLessThanOrEqual(4)
    expect(readdirSync(join(w.ctx.config.data, 'transcribing'))).toEqual([])
  })

  it('is not asked for without end', async () => {
    const call_sid = await w.addCall()
    const asked = await Promise.allSettled(
      Array.from({ length: 40 }, () => w.plan(call_sid, 'sp1')),
    )
    const failed = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(failed.length).toBeGreaterThanOrEqual(10)
    for (const e of failed) expect(e).toMatchObject(refused(429))
  })
})

describe('a recording', () => {
  it.each(['wav', 'mp3'] as const)('as %s is transcribed part by part', async (format) => {
    const sound = format === 'wav' ? SPOKEN : await stereoMp3(SPOKEN.subarray(44))
    const call_sid = await w.addCall(sound, { format })
    const speech_credential_sid = await w.addCredential('a1')
    const begun = await w.start(call_sid, speech_credential_sid)
    expect(begun).toMatchObject({
      ...{ call_sid, state: 'running', speech_credential_sid, vendor: 'deepgram' },
      ...{ language: 'en-US', is_automatic: false, ended_at: null, message: null },
    })
    const done = await w.ended(call_sid)
    expect(done).toMatchObject({ state: 'done', ended_at: expect.stringMatching(/^20/) })
    expect(done.parts.map(({ side }) => side)).toEqual(['caller', 'other', 'caller', 'other'])
    for (const { from, to, text, error } of done.parts)
      expect([text, error]).toEqual([`heard ${to - from}`, null])
    expect(w.requests).toHaveLength(PARTS)
    expect(w.requests[0]!.url.searchParams.get('language')).toBe('en-US')
    const notes = await w.db
      .selectFrom('switchroom_event_notes')
      .select(['kind', 'account_sid'])
      .where('thing', '=', `call ${call_sid}`)
      .execute()
    expect(notes).toEqual([{ kind: 'transcript.ready', account_sid: w.sids.a1 }])
  })

  it('is transcribed in the language that is asked for', async () => {
    const call_sid = await w.addCall()
    await w.start(call_sid, await w.addCredential('a1'), { language: 'de-DE' })
    expect(await w.ended(call_sid)).toMatchObject({ language: 'de-DE' })
    expect(w.requests[0]!.url.searchParams.get('language')).toBe('de-DE')
  })

  it('is sent in few requests at once', async () => {
    let [now, most] = [0, 0]
    w.vendor.answer = async (one) => {
      most = Math.max(most, ++now)
      await held.promise
      now--
      return w.usual(one)
    }
    const held = Promise.withResolvers<void>()
    const call_sid = await w.addCall(LONG)
    await w.start(call_sid, await w.addCredential('a1'))
    await expect.poll(() => now).toBe(3)
    // a fourth would have come by now
    await w.view(call_sid)
    held.resolve()
    const { parts } = await w.ended(call_sid)
    expect(parts.length).toBe(60)
    expect(most).toBe(3)
  })

  it.each([
    ['garbage', Buffer.from('this is not a recording '.repeat(1_000)), /neither an MP3 nor a WAV/],
    ['empty', Buffer.alloc(0), /empty/],
    ['of ten hours, by its header', lying(36_000), /empty|MP3/],
    ['of one channel', mono(), /channel/],
  ])('that is %s fails with a clear sentence', async (_, sound, message) => {
    const call_sid = await w.addCall(sound)
    await expect(w.plan(call_sid)).rejects.toMatchObject(refused(422, message))
    await w.start(call_sid, await w.addCredential('a1'))
    const failed = await w.ended(call_sid)
    expect(failed).toMatchObject({ state: 'failed', parts: [] })
    expect(failed.message).toMatch(message)
  })

  it('that is not there, or not spoken of, is not found', async () => {
    const credential = await w.addCredential('a1')
    const missing = await w.addCall(null)
    await w.addRecording(missing, SPOKEN, { format: 'mp3' })
    const silent = await w.addCall(SPOKEN, {
      fields: { recording_url: 'https://elsewhere.example/a.wav' },
    })
    for (const call_sid of [missing, silent, randomUUID()]) {
      await expect(w.plan(call_sid)).rejects.toMatchObject(refused(404))
      await expect(w.start(call_sid, credential)).rejects.toMatchObject(refused(404))
      await expect(w.view(call_sid)).rejects.toMatchObject(refused(404))
    }
  })
})

const lying = (seconds: number) => {
  const wav = stereoWav(Buffer.alloc(0))
  wav.writeUInt32LE(seconds * 32_000, 40)
  return wav
}
function mono() {
  const wav = Buffer.from(SPOKEN)
  wav.writeUInt16LE(1, 22)
  return wav
}

describe('a vendor', () => {
  it('is asked once more after a failure that may pass', async () => {
    let failures = 0
    w.vendor.answer = (one) => (failures++ < 1 ? { status: 503 } : w.usual(one))
    const call_sid = await w.addCall()
    await w.start(call_sid, await w.addCredential('a1'))
    expect(await w.ended(call_sid)).toMatchObject({ state: 'done' })
    expect(w.requests).toHaveLength(PARTS + 1)
  })

  it('that refuses the key is not asked for every part, and its reason has no secret', async () => {
    w.vendor.answer = ({ headers }) => ({ status: 401, body: { message: headers.authorization } })
    const call_sid = await w.addCall(LONG)
    await w.start(call_sid, await w.addCredential('a1'))
    const failed = await w.ended(call_sid)
    expect(failed.state).toBe('failed')
    expect(failed.message).toMatch(/invalid api key/)
    expect(failed.parts.every(({ text, error }) => text === null && error)).toBe(true)
    expect(w.requests.length).toBeLessThanOrEqual(3)
    const stored = await w.db.selectFrom('switchroom_transcription_parts').selectAll().execute()
    expect(JSON.stringify([failed, stored, w.lines])).not.toContain(CANARY)
  })

  it('that always fails is left alone after some parts', async () => {
    w.vendor.answer = () => ({ status: 400, body: { err_msg: 'No such model' } })
    const call_sid = await w.addCall(LONG)
    await w.start(call_sid, await w.addCredential('a1'))
    expect(await w.ended(call_sid)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('No such model'),
    })
    expect(w.requests.length).toBeLessThanOrEqual(8)
  })

  it('that fails for one part leaves the others', async () => {
    w.vendor.answer = (one) =>
      soundOf(one) < 1_500 ? { status: 422, body: { err_msg: 'Too short' } } : w.usual(one)
    const call_sid = await w.addCall()
    const credential = await w.addCredential('a1')
    await w.start(call_sid, credential)
    const done = await w.ended(call_sid)
    expect(done.state).toBe('done')
    const bad = done.parts.filter(({ error }) => error)
    expect(bad.length).toBeGreaterThan(0)
    expect(bad.length).toBeLessThan(PARTS)
    expect(bad[0]).toMatchObject({ text: null, error: expect.stringContaining('Too short') })
    // only the missing parts are sent again
    w.vendor.answer = w.usual
    w.requests.length = 0
    await w.start(call_sid, credential)
    const again = await w.ended(call_sid)
    expect(again.parts.every(({ text, error }) => text && !error)).toBe(true)
    expect(w.requests).toHaveLength(bad.length)
  })

  it.each([
    ['sends 20 MB', () => ({ status: 200, body: Buffer.alloc(20_000_000, 32) })],
    ['sends nonsense', () => ({ status: 200, body: '<html>' })],
  ] as const)('that %s fails', async (_, answer) => {
    w.vendor.answer = answer
    const call_sid = await w.addCall()
    await w.start(call_sid, await w.addCredential('a1'))
    expect(await w.ended(call_sid)).toMatchObject({ state: 'failed', message: /\S/ })
  })

  it('that hangs keeps no process from closing, and its work can go on', async () => {
    const call_sid = await w.addCall()
    const credential = await w.addCredential('a1')
    const other = await w.otherProcess()
    let count = 0
    const never = new Promise(() => {})
    w.vendor.answer = (one) => (count++ < 1 ? w.usual(one) : { status: 200, after: never })
    expect((await other.start(call_sid, credential)).statusCode).toBe(200)
    await expect.poll(async () => texts(await w.view(call_sid))).toBe(1)
    await other.close()
    expect(await w.view(call_sid)).toMatchObject({ state: 'interrupted' })
    w.vendor.answer = w.usual
    w.requests.length = 0
    await w.start(call_sid, credential)
    expect(await w.ended(call_sid)).toMatchObject({ state: 'done' })
    expect(w.requests).toHaveLength(PARTS - 1)
  })

  it('of which nothing is heard has heard nothing', async () => {
    w.vendor.answer = () => hears('')
    const call_sid = await w.addCall()
    await w.start(call_sid, await w.addCredential('a1'))
    const done = await w.ended(call_sid)
    expect(done.state).toBe('done')
    expect(done.parts.map(({ text }) => text)).toEqual(['', '', '', ''])
  })
})

const texts = ({ parts }: { parts: { text: string | null }[] }) =>
  parts.filter(({ text }) => text !== null).length

describe('starting', () => {
  it('twice at once in two processes has one of them do it', async () => {
    const call_sid = await w.addCall()
    const credential = await w.addCredential('a1')
    const held = Promise.withResolvers<void>()
    w.vendor.answer = (one) => ({ ...w.usual(one), after: held.promise })
    const other = await w.otherProcess()
    const [here, there] = await Promise.all([
      w.start(call_sid, credential),
      other.start(call_sid, credential),
    ])
    expect(there.statusCode).toBe(200)
    expect(there.json()).toMatchObject({ state: 'running', begun_at: here.begun_at })
    expect(w.ctx.memory.transcriptions.size + other.ctx.memory.transcriptions.size).toBe(1)
    await expect(w.start(call_sid, credential, { language: 'fr-FR' })).rejects.toMatchObject(
      refused(422, /another service/),
    )
    held.resolve()
    await w.ended(call_sid)
    expect(w.requests).toHaveLength(PARTS)
    await other.close()
  })

  it('with another service or language starts anew', async () => {
    const call_sid = await w.addCall()
    await w.start(call_sid, await w.addCredential('a1'))
    await w.ended(call_sid)
    const other = await w.addCredential('sp1')
    await w.start(call_sid, other)
    expect(await w.ended(call_sid)).toMatchObject({ speech_credential_sid: other, state: 'done' })
    expect(w.requests).toHaveLength(2 * PARTS)
    await w.start(call_sid, other, { language: 'fr-FR' })
    await w.ended(call_sid)
    expect(w.requests).toHaveLength(3 * PARTS)
    await w.start(call_sid, other, { language: 'fr-FR' })
    await w.ended(call_sid)
    expect(w.requests).toHaveLength(3 * PARTS)
  })

  it('goes on where a killed process was', async () => {
    const call_sid = await w.addCall()
    const credential = await w.addCredential('a1')
    await w.start(call_sid, credential)
    await w.ended(call_sid)
    // as it would be found
    const at = w.db.updateTable('switchroom_transcriptions').where('call_sid', '=', call_sid)
    await at.set({ state: 'running', seen_at: Date.now() - 31_000, ended_at: null }).execute()
    await w.db
      .updateTable('switchroom_transcription_parts')
      .set({ text: null })
      .where('call_sid', '=', call_sid)
      .where('number', '=', 2)
      .execute()
    expect(await w.view(call_sid)).toMatchObject({ state: 'interrupted', ended_at: null })
    w.requests.length = 0
    await w.start(call_sid, credential)
    expect(texts(await w.ended(call_sid))).toBe(PARTS)
    expect(w.requests).toHaveLength(1)
  })

  it('is refused for services that the account may not use', async () => {
    const call_sid = await w.addCall()
    const others = [
      ...(await Promise.all(
        (['a2', 'b1', 'sp2', 'nobody'] as const).map((o) => w.addCredential(o)),
      )),
      await w.addCredential('a1', { use_for_stt: 0 }),
      await w.addCredential('a1', { use_for_stt: null }),
      await w.addCredential('a1', { vendor: 'rimelabs' }),
      randomUUID(),
    ]
    for (const sid of others)
      for (const who of ['a1', 'admin'])
        await expect(w.start(call_sid, sid, { who })).rejects.toMatchObject(
          refused(422, /no such speech service/),
        )
    expect(w.requests).toEqual([])
  })

  it('is refused to those who may only read', async () => {
    const call_sid = await w.addCall()
    const credential = await w.addCredential('a1')
    const viewer = { who: 'a1-viewer' }
    await expect(w.start(call_sid, credential, viewer)).rejects.toMatchObject(refused(403))
    await w.start(call_sid, credential)
    await w.ended(call_sid)
    expect(texts(await w.view(call_sid, 'a1-viewer'))).toBe(PARTS)
    await expect(w.remove(call_sid, 'a1-viewer')).rejects.toMatchObject(refused(403))
  })

  it('is not possible for another’s call', async () => {
    const call_sid = await w.addCall()
    const credential = await w.addCredential('sp1')
    await w.start(call_sid, credential)
    await w.ended(call_sid)
    for (const [who, account] of [
      ['a2', 'a1'],
      ['a2', 'a2'],
      ['b1', 'a1'],
      ['sp2', 'a1'],
      ['sp1', 'a2'],
      ['admin', 'a2'],
    ] as const) {
      const account_sid = w.sids[account]
      const all = [
        w.view(call_sid, who, account_sid),
        w.plan(call_sid, who, account_sid),
        w.start(call_sid, credential, { who, account_sid }),
        w.remove(call_sid, who, account_sid),
      ]
      for (const one of await Promise.allSettled(all))
        expect(one).toMatchObject({ status: 'rejected', reason: { status: 404 } })
    }
    expect(texts(await w.view(call_sid))).toBe(PARTS)
  })

  it('is possible for few calls of an account at once', async () => {
    const held = Promise.withResolvers<void>()
    w.vendor.answer = (one) => ({ ...w.usual(one), after: held.promise })
    const credential = await w.addCredential('a1')
    const calls = await Promise.all(Array.from({ length: 4 }, () => w.addCall()))
    const begun = await Promise.allSettled(calls.map((call_sid) => w.start(call_sid, credential)))
    const failed = begun.filter((one) => one.status === 'rejected')
    expect(failed).toMatchObject([{ reason: { status: 429 } }])
    held.resolve()
    await Promise.all([...w.ctx.memory.transcriptions.values()].map(({ done }) => done))
  })

  it('is in the audit log, without words', async () => {
    const call_sid = await w.addCall()
    await w.start(call_sid, await w.addCredential('a1'))
    await w.ended(call_sid)
    await w.remove(call_sid)
    const entries = await w.db
      .selectFrom('switchroom_audit')
      .selectAll()
      .where('kind', '=', 'transcription')
      .where('sid', '=', call_sid)
      .orderBy('seq')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['create', 'delete'])
    expect(entries.every(({ account_sid }) => account_sid === w.sids.a1)).toBe(true)
    expect(JSON.stringify(entries)).not.toContain('heard')
  })
})

describe('the account’s setting', () => {
  it('masks what is stored', async () => {
    await setWords('mask')
    w.vendor.answer = () => hears('my number is 4711 0815, at x.y@wanda.example')
    const call_sid = await w.addCall()
    await w.start(call_sid, await w.addCredential('a1'))
    const [part] = (await w.ended(call_sid)).parts
    const stored = await w.db
      .selectFrom('switchroom_transcription_parts')
      .select('text')
      .where('call_sid', '=', call_sid)
      .execute()
    for (const text of [part!.text, ...stored.map((row) => row.text)])
      expect(text).toBe('my number is •••• ••••, at •••')
  })

  it('masks what was stored before', async () => {
    w.vendor.answer = () => hears('it is 4711')
    const call_sid = await w.addCall()
    await w.start(call_sid, await w.addCredential('a1'))
    expect((await w.ended(call_sid)).parts[0]!.text).toBe('it is 4711')
    await setWords('mask')
    expect((await w.view(call_sid)).parts[0]!.text).toBe('it is ••••')
  })

  it('leaves out all of it', async () => {
    const call_sid = await w.addCall()
    const credential = await w.addCredential('a1')
    await w.start(call_sid, credential)
    await w.ended(call_sid)
    await setWords('leave_out')
    await expect(w.view(call_sid)).rejects.toMatchObject(refused(404))
    await expect(w.plan(call_sid)).rejects.toMatchObject(refused(422, /does not keep the words/))
    await expect(w.start(call_sid, credential)).rejects.toMatchObject(
      refused(422, /does not keep the words/),
    )
    expect(w.requests).toHaveLength(PARTS)
    await w.remove(call_sid)
  })

  it('holds for calls of its time, after it has been taken back', async () => {
    const keptThen = (words: WordsKept) =>
      w.db
        .insertInto('switchroom_words_kept_before')
        .values({
          ...{ kept_sid: randomUUID(), account_sid: w.sids.a1, words, since: null },
          until: new Date().toISOString(),
        })
        .execute()
    await keptThen('mask')
    w.vendor.answer = () => hears('it is 4711')
    const call_sid = await w.addCall()
    const credential = await w.addCredential('a1')
    await w.start(call_sid, credential)
    expect((await w.ended(call_sid)).parts[0]!.text).toBe('it is ••••')
    await keptThen('leave_out')
    await expect(w.plan(call_sid)).rejects.toMatchObject(refused(422, /did not keep the words/))
    await expect(w.start(call_sid, credential)).rejects.toMatchObject(
      refused(422, /did not keep the words/),
    )
  })

  it('that comes while it goes on leaves nothing', async () => {
    const held = Promise.withResolvers<void>()
    w.vendor.answer = (one) => ({ ...w.usual(one), after: held.promise })
    const call_sid = await w.addCall()
    await w.start(call_sid, await w.addCredential('a1'))
    await expect.poll(() => w.requests.length).toBeGreaterThan(0)
    await setWords('leave_out')
    held.resolve()
    await Promise.all([...w.ctx.memory.transcriptions.values()].map(({ done }) => done))
    const key = { account_sid: w.sids.a1, call_sid }
    expect(await transcriptions.find(w.db, key)).toBeUndefined()
    expect(await transcriptions.partsOf(w.db, key)).toEqual([])
  })
})

describe('removing', () => {
  it('stops what goes on, and leaves nothing', async () => {
    const held = Promise.withResolvers<void>()
    w.vendor.answer = (one) => ({ ...w.usual(one), after: held.promise })
    const call_sid = await w.addCall(LONG)
    await w.start(call_sid, await w.addCredential('a1'))
    await expect.poll(() => w.requests.length).toBeGreaterThan(0)
    await w.remove(call_sid)
    await expect(w.view(call_sid)).rejects.toMatchObject(refused(404))
    held.resolve()
    await Promise.all([...w.ctx.memory.transcriptions.values()].map(({ done }) => done))
    expect(w.requests.length).toBeLessThan(20)
    const key = { account_sid: w.sids.a1, call_sid }
    expect(await transcriptions.partsOf(w.db, key)).toEqual([])
    await expect(w.remove(call_sid)).rejects.toMatchObject(refused(404))
  })

  it('the recording removes its words', async () => {
    const call_sid = await w.addCall()
    await w.start(call_sid, await w.addCredential('a1'))
    await w.ended(call_sid)
    const { recording_url } = (await w.ctx.stores.calls.find({}, { call_sid }))!
    expect((await w.request('a1', 'DELETE', recording_url!)).statusCode).toBe(204)
    await expect(w.view(call_sid)).rejects.toMatchObject(refused(404))
    expect(await transcriptions.partsOf(w.db, { account_sid: w.sids.a1, call_sid })).toEqual([])
  })

  it('the account removes them, and age does', async () => {
    const old = await w.addCall()
    const young = await w.addCall()
    const credential = await w.addCredential('a1')
    for (const call_sid of [old, young]) {
      await w.start(call_sid, credential)
      await w.ended(call_sid)
    }
    const called_at = new Date(Date.now() - 1_000 * 86_400_000).toISOString()
    const at = w.db.updateTable('switchroom_transcriptions').where('call_sid', '=', old)
    await at.set({ called_at }).execute()
    const { forgetOld } = await import('./watch.ts')
    await forgetOld(w.ctx)
    await expect(w.view(old)).rejects.toMatchObject(refused(404))
    expect(texts(await w.view(young))).toBe(PARTS)
    const keys = { account_sid: w.sids.a1, call_sid: young }
    await transcriptions.removeOfAccount(w.db, keys)
    expect(await transcriptions.partsOf(w.db, keys)).toEqual([])
  })

  it('the service leaves what it heard', async () => {
    const call_sid = await w.addCall()
    await w.start(call_sid, await w.addCredential('a1'))
    await w.ended(call_sid)
    await w.db.deleteFrom('speech_credentials').execute()
    expect(await w.view(call_sid)).toMatchObject({
      speech_credential_sid: null,
      vendor: 'deepgram',
    })
  })
})
