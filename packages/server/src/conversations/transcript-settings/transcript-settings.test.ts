import { randomUUID } from 'node:crypto'
import type { TranscriptSettings } from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { transcriptPolicyOf } from '../../calls/words-kept.ts'
import { settingsOf } from './queries.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.db.deleteFrom('switchroom_transcript_settings').execute()
  await t.db.deleteFrom('speech_credentials').execute()
})

type Account = 'a1' | 'a2' | 'b1'
const path = (of: Account) => `/Accounts/${t.sids[of]}/TranscriptSettings`
const view = async (who: string, of: Account = 'a1') =>
  (await t.request(who, 'GET', path(of))).json() as TranscriptSettings & { version: string }
const update = (who: string, body: object, of: Account = 'a1') =>
  t.request(who, 'PUT', path(of), body)

async function credential(
  owner: { account_sid?: string; service_provider_sid?: string },
  more: { vendor?: string; use_for_stt?: 0 | 1 } = {},
) {
  const speech_credential_sid = randomUUID()
  const row = { vendor: 'deepgram', credential: '', use_for_stt: 1 as const, ...more }
  await t.db
    .insertInto('speech_credentials')
    .values({ ...row, ...owner, speech_credential_sid })
    .execute()
  return speech_credential_sid
}
const automatic = (speech_credential_sid: string) => ({
  automatic: { speech_credential_sid, language: 'en-US', minutes_a_day: 60 },
})

describe('transcript settings', () => {
  it('keep all words until somebody changes that', async () => {
    expect(await view('a1')).toMatchObject({ words: 'keep', automatic: null, words_since: null })
  })

  it.each(['a1', 'sp1', 'admin'])(
    'are changed by %s, with an entry in the audit log',
    async (who) => {
      const before = Date.now()
      const answer = await update(who, { words: 'mask' })
      expect(answer.statusCode, answer.body).toBe(204)
      const { words, words_since } = await view('a1')
      expect(words).toBe('mask')
      expect(Date.parse(words_since!)).toBeGreaterThanOrEqual(before)
      // a change of other settings leaves the words' time
      await update(who, automatic(await credential({ account_sid: t.sids.a1 })))
      expect((await view('a1')).words_since).toBe(words_since)
      const { data } = (
        await t.request('admin', 'GET', `/AuditLog?page=1&kind=transcript_settings`)
      ).json()
      expect(data[1]).toMatchObject({
        ...{ sid: t.sids.a1, account_sid: t.sids.a1, action: 'update' },
        after: { words: 'mask' },
      })
    },
  )

  it.each([
    ['a1-viewer', 'a1', 403],
    ['a2', 'a1', 404],
    ['sp2', 'a1', 404],
    ['a1', 'b1', 404],
  ] as const)('are not changed by %s below %s', async (who, of, status) => {
    expect((await update(who, { words: 'mask' }, of)).statusCode).toBe(status)
    expect(await settingsOf(t.db, t.sids[of])).toMatchObject({ words: 'keep' })
  })

  it('are not changed by somebody who has seen older ones', async () => {
    const { version } = await view('a1')
    const save = (words: string) =>
      t.request('a1', 'PUT', path('a1'), { words }, { 'if-match': `"${version}"` })
    expect((await save('mask')).statusCode).toBe(204)
    const late = await save('leave_out')
    expect(late.statusCode).toBe(409)
    expect((await view('a1')).words).toBe('mask')
  })
})

describe('automatic transcription', () => {
  const refused = async (body: object, field: string[]) => {
    const answer = await update('a1', body)
    expect(answer.statusCode, answer.body).toBe(400)
    expect(answer.json().issues[0].path).toEqual(field)
  }
  const SID = ['automatic', 'speech_credential_sid']

  it('is with a service of the account’s own, or its provider’s', async () => {
    for (const owner of [{ account_sid: t.sids.a1 }, { service_provider_sid: t.sids.sp1 }]) {
      const body = automatic(await credential(owner))
      expect((await update('a1', body)).statusCode).toBe(204)
      expect(await view('a1')).toMatchObject(body)
    }
  })

  it('is with none of others, and none that cannot do it', async () => {
    for (const owner of [{ account_sid: t.sids.a2 }, { service_provider_sid: t.sids.sp2 }])
      await refused(automatic(await credential(owner)), SID)
    const own = { account_sid: t.sids.a1 }
    await refused(automatic(randomUUID()), SID)
    await refused(automatic(await credential(own, { use_for_stt: 0 })), SID)
    await refused(automatic(await credential(own, { vendor: 'elevenlabs' })), SID)
    await refused(automatic(await credential(own, { vendor: 'nobody' })), SID)
    expect(await view('a1')).toMatchObject({ automatic: null })
  })

  it('is not possible without words, and ends when they are left out', async () => {
    const body = automatic(await credential({ account_sid: t.sids.a1 }))
    await refused({ words: 'leave_out', ...body }, ['automatic'])
    expect((await update('a1', { words: 'mask', ...body })).statusCode).toBe(204)
    expect((await update('a1', { words: 'leave_out' })).statusCode).toBe(204)
    expect(await view('a1')).toMatchObject({ words: 'leave_out', automatic: null })
    await refused(body, ['automatic'])
  })

  it('ends with its service, or with the right to use it', async () => {
    const speech_credential_sid = await credential({ account_sid: t.sids.a1 })
    await update('a1', automatic(speech_credential_sid))
    await t.db.updateTable('speech_credentials').set({ account_sid: t.sids.a2 }).execute()
    expect(await view('a1')).toMatchObject({ automatic: null })
    await t.db.updateTable('speech_credentials').set({ account_sid: t.sids.a1 }).execute()
    expect((await view('a1')).automatic).not.toBeNull()
    await t.request(
      'a1',
      'DELETE',
      `/Accounts/${t.sids.a1}/SpeechCredentials/${speech_credential_sid}`,
    )
    expect(await view('a1')).toMatchObject({ automatic: null })
  })

  it.each([
    [{ minutes_a_day: 0 }, 'minutes_a_day'],
    [{ minutes_a_day: 10_001 }, 'minutes_a_day'],
    [{ minutes_a_day: 1.5 }, 'minutes_a_day'],
    [{ language: '' }, 'language'],
    [{ language: 'x'.repeat(21) }, 'language'],
  ])('refuses %j', async (more, field) => {
    const body = automatic(await credential({ account_sid: t.sids.a1 }))
    await refused({ automatic: { ...body.automatic, ...more } }, ['automatic', field])
  })
})

describe('the settings of a deleted account', () => {
  const TIME = { from: Date.parse('2026-01-01'), to: Date.parse('2026-01-02') }
  const deleted = async (settings: object) => {
    const body = { name: randomUUID(), service_provider_sid: t.sids.sp1 }
    const { sid } = (await t.request('admin', 'POST', '/Accounts', body)).json()
    const own = `/Accounts/${sid}`
    const set = await t.request('admin', 'PUT', `${own}/TranscriptSettings`, settings)
    expect(set.statusCode, set.body).toBe(204)
    expect((await t.request('admin', 'DELETE', own)).statusCode).toBe(204)
    return sid as string
  }

  it('still say what is kept of its calls, and of no others', async () => {
    const speech_credential_sid = await credential({ service_provider_sid: t.sids.sp1 })
    const sid = await deleted({ words: 'mask', ...automatic(speech_credential_sid) })
    expect(await settingsOf(t.db, sid)).toMatchObject({ words: 'mask', automatic: null })
    expect(await transcriptPolicyOf(t.db, sid, TIME)).toBe('mask')
    expect(await transcriptPolicyOf(t.db, null, TIME)).toBe('keep')
    await update('a1', { words: 'leave_out' })
    expect(await transcriptPolicyOf(t.db, null, TIME)).toBe('leave_out')
  })

  it('go, if it kept everything', async () => {
    await deleted({ words: 'keep' })
    expect(await t.db.selectFrom('switchroom_transcript_settings').selectAll().execute()).toEqual(
      [],
    )
  })
})
