import { randomUUID } from 'node:crypto'
import { api, type Transcription } from '@switchroom/contract'
import { expect, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import { newWatch } from '../src/db/watched.ts'
import { memory } from '../src/http/memory.ts'
import { dayOf, keyOf } from '../src/stores/recordings/store.ts'
import { type TestApp, testApp } from './app.ts'
import { callLine, send, testStore } from './calls.ts'
import { mixed, noise, stereo, stereoWav, voice } from './recordings.ts'
import { standIns, type VendorRequest, type VendorResponse } from './stand-ins/speech-server.ts'

const QUIET = noise(0.002)
/** Ten seconds, in which each side speaks twice. */
export const SPOKEN = stereoWav(
  stereo(10, [mixed(QUIET, voice(1, 2), voice(6, 7.5)), mixed(QUIET, voice(3, 5), voice(8, 9))]),
)
export const PARTS = 4
/** Two minutes, in which the caller speaks sixty times. */
export const LONG = stereoWav(
  stereo(120, [(s) => QUIET(s) + (s % 2 < 1 ? voice(0, 120)(s) : 0), QUIET]),
)
/** How long the sound of a request is, in milliseconds. */
export const soundOf = ({ body }: Pick<VendorRequest, 'body'>) => (body.length - 44) / 16

export const hears = (transcript: string): VendorResponse => ({
  status: 200,
  body: { results: { channels: [{ alternatives: [{ transcript }] }] } },
})

/** A server with calls, their recordings, and a vendor that says how long each sound was. */
export async function transcriptionWorld() {
  const requests: VendorRequest[] = []
  const usual = (one: VendorRequest) => hears(`heard ${soundOf(one)}`)
  const vendor = {
    answer: usual as (one: VendorRequest) => VendorResponse | Promise<VendorResponse>,
  }
  const server = await standIns({
    hosts: ['api.deepgram.com'],
    http(one) {
      requests.push(one)
      return vendor.answer(one)
    },
  })
  const t = await testApp({}, server.out)
  let store = await testStore('embedded')
  Object.assign(t.ctx.stores, { calls: store.calls })

  // the limit per minute starts over for each test
  let minute = 0
  const { live } = t.ctx
  const increment: typeof live.increment = (key, seconds) =>
    live.increment(`${key}:${minute}`, seconds)
  Object.assign(t.ctx, { live: { ...live, increment } })

  type Who = 'a1' | 'a2' | 'b1'
  let ns = 0
  const ownersOf = (who: Who) => ({
    account_sid: t.sids[who],
    service_provider_sid: who === 'b1' ? t.sids.sp2 : t.sids.sp1,
  })

  /** A call that has ended, and its recording, if there is one. */
  async function addCall(
    recording: Buffer | null = SPOKEN,
    {
      who = 'a1' as Who,
      format = 'wav' as 'wav' | 'mp3',
      ended = Date.now() - 120_000,
      call_sid = randomUUID() as string,
      fields = {} as Record<string, string>,
    } = {},
  ) {
    const day = dayOf(new Date(ended))
    const owners = ownersOf(who)
    const url = `/Accounts/${owners.account_sid}/RecentCalls/${call_sid}/record/${day}/${format}`
    const line = callLine({
      ms: ended - 10_000,
      ns: ns++,
      tags: { ...owners, direction: 'inbound' },
      fields: {
        ...{ call_sid, sip_callid: randomUUID(), recording_url: url, terminated_at: ended },
        ...fields,
      },
    })
    const { status } = await send(store, line)
    if (status !== 204) throw new Error(`The call was not taken: ${status}`)
    if (recording) await addRecording(call_sid, recording, { who, format, ended })
    return call_sid
  }

  const addRecording = (
    call_sid: string,
    sound: Buffer,
    { who = 'a1' as Who, format = 'wav' as 'wav' | 'mp3', ended = Date.now() - 120_000 } = {},
  ) =>
    t.ctx.stores.recordings.keep(
      { account_sid: t.sids[who], bucket: undefined },
      keyOf(dayOf(new Date(ended)), call_sid, format),
      {
        ...{ size: sound.length, type: `audio/${format}`, metadata: {} },
        async *read(from: number, to: number) {
          yield sound.subarray(from, to)
        },
      },
    )

  async function addCredential(
    owner: Who | 'sp1' | 'sp2' | 'nobody',
    more: { vendor?: string; use_for_stt?: 0 | 1 | null; label?: string } = {},
    blob: object = { api_key: 'canary-7f3a-0c11' },
  ) {
    const speech_credential_sid = randomUUID()
    await t.db
      .insertInto('speech_credentials')
      .values({
        speech_credential_sid,
        vendor: 'deepgram',
        account_sid: owner.startsWith('sp') || owner === 'nobody' ? null : t.sids[owner as Who],
        service_provider_sid:
          owner === 'nobody' ? null : owner === 'b1' || owner === 'sp2' ? t.sids.sp2 : t.sids.sp1,
        credential: t.ctx.box.seal(JSON.stringify(blob)),
        use_for_tts: 1,
        use_for_stt: 1,
        ...more,
      })
      .execute()
    return speech_credential_sid
  }

  const params = (call_sid: string, account_sid = t.sids.a1) => ({ account_sid, call_sid })
  const of = (as: TestApp['as']) => ({
    view: (call_sid: string, who = 'a1', account_sid?: string) =>
      as(who)(api.transcriptions.view, { params: params(call_sid, account_sid) }),
    plan: (call_sid: string, who = 'a1', account_sid?: string) =>
      as(who)(api.transcriptions.plan, { params: params(call_sid, account_sid) }),
    start: (
      call_sid: string,
      speech_credential_sid: string,
      { who = 'a1', language = null as string | null, account_sid = t.sids.a1 } = {},
    ) =>
      as(who)(api.transcriptions.start, {
        params: params(call_sid, account_sid),
        body: { speech_credential_sid, language },
      }),
    remove: (call_sid: string, who = 'a1', account_sid?: string) =>
      as(who)(api.transcriptions.remove, { params: params(call_sid, account_sid) }),
  })
  const calls = of(t.as)

  /** Waits for the outcome of a transcription. */
  const ended = (call_sid: string): Promise<Transcription> =>
    vi.waitFor(
      async () => {
        const seen = await calls.view(call_sid)
        expect(seen.state).not.toBe('running')
        return seen
      },
      { timeout: 60_000 },
    )

  /** Another server process on the same database. */
  async function otherProcess() {
    const ctx = { ...t.ctx, memory: memory(newWatch()) }
    const app = await buildApp(ctx, { loggerInstance: t.ctx.log })
    const request: TestApp['request'] = (who, method, path, body) =>
      app.inject({
        method: method as 'GET',
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${t.bearer[who]}` },
        ...(body === undefined ? {} : { payload: body as object }),
      })
    const start = (call_sid: string, speech_credential_sid: string) =>
      request('a1', 'POST', `/Accounts/${t.sids.a1}/RecentCalls/${call_sid}/Transcription`, {
        speech_credential_sid,
        language: null,
      })
    return { ctx, start, close: () => app.close() }
  }

  return {
    ...t,
    ...calls,
    t,
    vendor,
    usual,
    requests,
    addCall,
    addRecording,
    addCredential,
    ended,
    otherProcess,
    /** There were no calls yet. */
    async forgetCalls() {
      await store.close()
      store = await testStore('embedded')
      Object.assign(t.ctx.stores, { calls: store.calls })
    },
    /** Nobody has asked for anything yet. */
    async reset() {
      vendor.answer = usual
      requests.length = 0
      await t.db.deleteFrom('speech_credentials').execute()
      await t.db.deleteFrom('switchroom_transcript_settings').execute()
      await t.db.deleteFrom('switchroom_words_kept_before').execute()
      minute++
    },
    async close() {
      await t.close()
      await store.close()
      await server.close()
    },
  }
}
