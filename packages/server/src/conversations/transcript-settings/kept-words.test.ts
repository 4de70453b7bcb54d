import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import type { WordsPolicy } from '../../stores/traces/store.ts'
import { followWords, keptWords, wordsPolicy } from './kept-words.ts'

let t: TestApp
let told: WordsPolicy[]
beforeEach(async () => {
  t = await testApp()
  told = []
  t.ctx.stores.traces = {
    find: async () => undefined,
    followWords: async (policy) => void told.push(policy),
  }
})
afterEach(() => t.close())

const set = (words: string, of: 'a1' | 'a2' = 'a1') =>
  t.request('admin', 'PUT', `/Accounts/${t.sids[of]}/TranscriptSettings`, { words })
const last = () => told.at(-1) && [...told.at(-1)!.accounts]

describe('what accounts keep of words', () => {
  it('is told to the store before a change is answered', async () => {
    expect((await set('mask')).statusCode).toBe(204)
    expect(last()).toEqual([[t.sids.a1, 'mask']])
    await set('leave_out', 'a2')
    expect(new Map(last())).toEqual(
      new Map([
        [t.sids.a1, 'mask'],
        [t.sids.a2, 'leave_out'],
      ]),
    )
    await set('keep')
    expect(last()).toEqual([[t.sids.a2, 'leave_out']])
    expect(await wordsPolicy(t.db, t.ctx.box)).toEqual(told.at(-1))
  })

  it('is told once', async () => {
    await set('mask')
    await t.ctx.words.refresh()
    expect(told).toHaveLength(1)
  })

  it('is the same key in every process with the same secret, and another for others', async () => {
    const { key } = t.ctx.words
    expect(keptWords(t.ctx, () => t.ctx.stores).key).toBe(key)
    expect(key).toMatch(/^[\da-f]{64}$/)
    const box = { ...t.ctx.box, digest: () => 'other' }
    expect(keptWords({ ...t.ctx, box }, () => t.ctx.stores).key).toBe('other')
  })

  it('follows what is written without an endpoint, here and by others', async () => {
    const following = followWords(t.ctx)
    await t.db
      .insertInto('switchroom_transcript_settings')
      .values({ account_sid: t.sids.a1.toUpperCase(), words: 'mask' })
      .execute()
    await expect.poll(last).toEqual([[t.sids.a1, 'mask']])
    await t.db.deleteFrom('switchroom_transcript_settings').execute()
    await expect.poll(last).toEqual([])
    // another process tells nobody
    t.ctx.databaseUse.writes.clear()
    await t.db
      .insertInto('switchroom_transcript_settings')
      .values({ account_sid: t.sids.a2, words: 'leave_out' })
      .execute()
    await expect.poll(last).toEqual([[t.sids.a2, 'leave_out']])
    await following.stop()
  })

  it('holds on while it cannot be read', async () => {
    await set('mask')
    const selectFrom = () => {
      throw new Error('gone')
    }
    const db = { selectFrom } as never
    await expect(keptWords({ ...t.ctx, db }, () => t.ctx.stores).refresh()).rejects.toThrow()
    expect(last()).toEqual([[t.sids.a1, 'mask']])
    expect(told).toHaveLength(1)
  })
})
