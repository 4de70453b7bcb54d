import { randomUUID } from 'node:crypto'
import { api, SPEECH_VENDORS } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import {
  standIns,
  type VendorRequest,
  type VendorResponse,
} from '../../../test/stand-ins/speech-server.ts'

const CANARY = 'canary-51aa-77e0'
type Avatar = { id: number; name: string; locale: string }

let t: TestApp
let requests: VendorRequest[]
let wellsaid: () => VendorResponse
let close: () => Promise<void>
const respondWith =
  (...avatars: Avatar[]) =>
  (): VendorResponse => ({ status: 200, body: { avatars } })
const kim = { id: 77, name: 'Kim', locale: 'en-GB' }
const lou = { id: 78, name: 'Lou', locale: 'en-GB' }

beforeEach(async () => {
  requests = []
  wellsaid = respondWith(kim)
  const s = await standIns({
    hosts: ['api.wellsaidlabs.com'],
    http(one) {
      requests.push(one)
      return wellsaid()
    },
  })
  close = s.close
  t = await testApp({}, s.out)
})
afterEach(async () => {
  await t.close()
  await close()
})

type Query = Partial<Parameters<typeof ofVendor>[1]>
const ofVendor = (
  who: string,
  query: {
    vendor: string
    label?: string
    create_new?: string
    speech_credential_sid?: string
    fresh?: 1
  },
  account_sid = t.sids.a1,
) => t.as(who)(api.speechCatalogues.ofAccount, { params: { account_sid }, query })
const of = (who: string, query: Query = {}, account_sid = t.sids.a1) =>
  ofVendor(who, { vendor: 'wellsaid', ...query }, account_sid)
const ofProvider = (who: string, query: Query = {}) =>
  t.as(who)(api.speechCatalogues.ofServiceProvider, {
    params: { service_provider_sid: t.sids.sp1 },
    query: { vendor: 'wellsaid', ...query },
  })

type Who = 'a1' | 'a2' | 'b1' | 'sp1' | 'sp2'
async function add(who: Who, label: string | null = null, api_key = CANARY) {
  const speech_credential_sid = randomUUID()
  await t.db
    .insertInto('speech_credentials')
    .values({
      speech_credential_sid,
      vendor: 'wellsaid',
      label,
      account_sid: who.startsWith('sp') ? null : t.sids[who],
      service_provider_sid: who === 'b1' || who === 'sp2' ? t.sids.sp2 : t.sids.sp1,
      credential: t.ctx.box.seal(JSON.stringify({ api_key })),
    })
    .execute()
  return speech_credential_sid
}
const voices = (offered: { tts?: { voices: { name: string }[] }[] | undefined }) =>
  offered.tts?.flatMap((l) => l.voices.map((v) => v.name)) ?? []
const keys = () => requests.map((one) => one.headers['x-api-key'])
const age = (by_ms: number) =>
  t.db
    .updateTable('switchroom_speech_catalogues')
    .set({ fetched_at: new Date(Date.now() - by_ms).toISOString() })
    .execute()

describe('the general catalogue', () => {
  it.each(SPEECH_VENDORS.filter((v) => !['custom', 'deepgramflux'].includes(v.id)))(
    'lists what $name offers',
    async ({ id, tts, stt }) => {
      await add('a1')
      const found = await ofVendor('a1', { vendor: id, create_new: 'true' })
      expect(found.source).toBe('built-in')
      expect([!!found.tts?.length, !!found.stt?.length]).toEqual([tts, stt])
      for (const language of found.tts ?? []) {
        expect(language.name).not.toBe('')
        expect(language.voices.length).toBeGreaterThan(0)
      }
      expect(requests).toEqual([])
    },
  )

  it.each(['nobody', 'custom:mine', 'custom', 'deepgramflux', 'constructor'])(
    'does not find %s',
    async (vendor) => {
      await expect(ofVendor('a1', { vendor })).rejects.toMatchObject({
        status: 422,
        message: `Invalid vendor ${vendor}`,
      })
    },
  )

  it('needs a vendor', async () => {
    const path = `/ServiceProviders/${t.sids.sp1}/SpeechCredentials/speech/supportedLanguagesAndVoices`
    const answer = await t.request('sp1', 'GET', path)
    expect([answer.statusCode, answer.json().msg]).toEqual([400, 'vendor is required'])
  })
})

describe('the credential used', () => {
  it('is the account’s own before its provider’s, never another account’s', async () => {
    for (const who of ['a2', 'b1', 'sp2'] as const) await add(who, null, `key-of-${who}`)
    expect(await of('a1')).toMatchObject({ source: 'built-in' })
    expect(await ofProvider('sp1')).toMatchObject({ source: 'built-in' })
    await add('sp1', null, 'key-of-sp1')
    expect(await of('a1')).toMatchObject({ source: 'live' })
    await add('a1', null, 'key-of-a1')
    expect(await of('a1')).toMatchObject({ source: 'live' })
    expect(keys()).toEqual(['key-of-sp1', 'key-of-a1'])
    // a caller that views the account sees the same as the account
    await of('admin', { fresh: 1 })
    await of('sp1', { fresh: 1 })
    await ofProvider('a1', { fresh: 1 })
    await ofProvider('sp1', { fresh: 1 })
    expect(keys().slice(2)).toEqual(['key-of-a1', 'key-of-a1', 'key-of-a1', 'key-of-sp1'])
  })

  it('has exactly the requested label', async () => {
    await add('a1', 'Mine', 'key-of-Mine')
    for (const label of [undefined, '', 'mine', 'Mine ', 'other'])
      expect(await of('a1', label === undefined ? {} : { label })).toMatchObject({
        source: 'built-in',
      })
    expect(await of('a1', { label: 'Mine' })).toMatchObject({ source: 'live' })
    expect(keys()).toEqual(['key-of-Mine'])
  })

  it('is the one with this sid, if visible to the caller', async () => {
    await add('a1', null, 'key-of-a1')
    const shared = await add('sp1', 'shared', 'key-of-sp1')
    expect(await of('a1', { speech_credential_sid: shared })).toMatchObject({ source: 'live' })
    expect(keys()).toEqual(['key-of-sp1'])
    const none = { status: 404, message: 'No such speech credential' }
    for (const who of ['a2', 'b1', 'sp2'] as const) {
      const speech_credential_sid = await add(who, 'theirs')
      await expect(of('a1', { speech_credential_sid })).rejects.toMatchObject(none)
      await expect(of('admin', { speech_credential_sid })).rejects.toMatchObject(none)
      if (who !== 'a2')
        await expect(ofProvider('sp1', { speech_credential_sid })).rejects.toMatchObject(none)
    }
    await expect(
      ofVendor('a1', { vendor: 'google', speech_credential_sid: shared }),
    ).rejects.toMatchObject({
      status: 422,
      body: { issues: [{ path: ['speech_credential_sid'] }] },
    })
  })
})

describe('a cached catalogue', () => {
  it('is returned for an hour, then fetched again', async () => {
    await add('a1')
    const live = await of('a1')
    expect(live.source).toBe('live')
    expect(voices(live)).toEqual(['Kim'])
    wellsaid = respondWith(lou)
    const cached = await of('a1')
    expect(cached).toEqual({ ...live, source: 'cached' })
    await age(59 * 60_000)
    expect((await of('a1')).source).toBe('cached')
    expect(requests).toHaveLength(1)
    await age(61 * 60_000)
    const again = await of('a1')
    expect([again.source, ...voices(again)]).toEqual(['live', 'Lou'])
  })

  it('is not used when a fresh one is requested', async () => {
    await add('a1')
    await of('a1')
    wellsaid = respondWith(lou)
    expect(voices(await of('a1', { fresh: 1 }))).toEqual(['Lou'])
    expect(voices(await of('a1'))).toEqual(['Lou'])
  })

  it('is returned at any age when the vendor fails', async () => {
    await add('a1')
    await of('a1')
    await age(40 * 86_400_000)
    wellsaid = () => ({ status: 429, body: { message: `slow down ${CANARY}` } })
    const old = await of('a1')
    expect(old).toMatchObject({
      source: 'cached',
      reason: expect.stringMatching(/^quota or concurrency limit exceeded/),
    })
    expect(voices(old)).toEqual(['Kim'])
    expect(Date.parse(old.fetched_at!)).toBeLessThan(Date.now() - 39 * 86_400_000)
    expect(JSON.stringify(old)).not.toContain(CANARY)
  })

  it('is missing when the vendor has never answered', async () => {
    await add('a1')
    for (const answer of [
      { status: 500 },
      { status: 200, body: 'garbage' },
      { status: 200, body: { avatars: [] } },
      { status: 200, body: { avatars: [{ id: null }] } },
    ]) {
      wellsaid = () => answer
      const offered = await of('a1')
      expect(offered).toMatchObject({ source: 'built-in', reason: expect.any(String) })
      expect(voices(offered).length).toBeGreaterThan(0)
      expect(offered.fetched_at).toBeUndefined()
    }
    expect(t.lines.join()).not.toContain(CANARY)
    expect(t.lines.join()).not.toContain('failed in our code')
  })

  it('is not returned for a changed credential', async () => {
    await add('a1')
    await of('a1')
    const credential = t.ctx.box.seal(JSON.stringify({ api_key: 'other' }))
    await t.db.updateTable('speech_credentials').set({ credential }).execute()
    wellsaid = () => ({ status: 401 })
    const offered = await of('a1')
    expect(offered).toMatchObject({ source: 'built-in', reason: expect.any(String) })
    expect(voices(offered)).not.toContain('Kim')
    wellsaid = respondWith(lou)
    expect(voices(await of('a1'))).toEqual(['Lou'])
    const kept = await t.db.selectFrom('switchroom_speech_catalogues').selectAll().execute()
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain(CANARY)
  })

  it('is deleted with its credential', async () => {
    await add('a1')
    await of('a1')
    await t.db.deleteFrom('speech_credentials').execute()
    const sid = await add('a1')
    await of('a1')
    const kept = await t.db.selectFrom('switchroom_speech_catalogues').selectAll().execute()
    expect(kept.map((k) => k.speech_credential_sid)).toEqual([sid])
  })

  it('has a size limit', async () => {
    await add('a1')
    const many = Array.from({ length: 20_000 }, (_, id) => ({ ...kim, id, name: 'x'.repeat(220) }))
    wellsaid = respondWith(...many)
    expect(voices(await of('a1'))).toHaveLength(20_000)
    expect(await t.db.selectFrom('switchroom_speech_catalogues').selectAll().execute()).toEqual([])
  })
})

it('shares one fetch among concurrent requests', async () => {
  await add('a1')
  const held = Promise.withResolvers<void>()
  wellsaid = () => ({ ...respondWith(kim)(), after: held.promise })
  const all = Promise.all(Array.from({ length: 12 }, (_, i) => of(i % 2 ? 'a1' : 'sp1')))
  await expect.poll(() => requests.length).toBeGreaterThan(0)
  // which comes behind all of them
  await t.request('a1', 'GET', '/PhoneNumbers?page=1')
  held.resolve()
  for (const offered of await all) expect(voices(offered)).toEqual(['Kim'])
  expect(requests).toHaveLength(1)
})
