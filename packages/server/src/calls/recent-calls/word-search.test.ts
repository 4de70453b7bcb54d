import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Call } from '@switchroom/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { ownOrClickHouse } from '../../../test/clickhouse.ts'
import { callRecord, testVoice } from '../../../test/voice.ts'
import type { VoiceCall, VoiceStore } from '../../stores/voice/store.ts'
import { wordsOf } from '../../talk/words.ts'

const HOUR = 3_600_000
const NOW = Date.now()

/** Each owner's calls, the newest first. The name of a call is its owner's with a number. */
const SAID = {
  a1: [
    ['How can I help you?', 'I want to pay my bill'],
    ['Pay what?', 'My bill', 'our secret is swordfish'],
    ['我想付款', 'Grüße aus Köln'],
    ['Robert’); DROP TABLE calls;--', 'say "AND" OR "NOT"', 'Don’t re-enter 1,000'],
  ],
  a2: [['pay my bill with a2secret']],
  b1: [['pay my bill with b1secret'], ['swordfish of b1']],
} as const
type Who = keyof typeof SAID

describe.each(ownOrClickHouse)('recent calls by what was said, in %s', (kind) => {
  let t: TestApp
  let voice: VoiceStore
  let folder: string

  const timeOf = (n: number) => NOW - n * HOUR
  function voiceCall(who: Who, n: number): VoiceCall {
    const trace_id = Buffer.from(`${who}${n}`.padEnd(16, '_')).toString('hex')
    return {
      trace_id,
      call: callRecord({
        account_sid: t.sids[who],
        service_provider_sid: who === 'b1' ? t.sids.sp2 : t.sids.sp1,
        call_sid: `${who}-${n}`,
        attempted_at: new Date(timeOf(n) - (who === 'a1' ? 0 : 1_000)).toISOString(),
        direction: n % 2 ? 'inbound' : 'outbound',
        trace_id,
      }),
      counts: [
        { by: 'all', key: '', measure: 'calls', value: 0, n: 1 },
        { by: 'all', key: '', measure: 'response', value: 1_000 * n, n: 1 },
      ],
      words: wordsOf(SAID[who][n - 1]!),
    }
  }

  beforeAll(async () => {
    t = await testApp()
    folder = mkdtempSync(join(tmpdir(), 'switchroom-said-'))
    voice = await testVoice(kind, folder)
    t.ctx.stores.voice = voice
    const whos = Object.keys(SAID) as Who[]
    await voice.keep(whos.flatMap((who) => SAID[who].map((_, i) => voiceCall(who, i + 1))))
  }, 60_000)
  afterAll(async () => {
    await t?.close()
    await voice?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(() => t.ctx.db.deleteFrom('switchroom_transcript_settings').execute())

  const account = (of: Who) => `/Accounts/${t.sids[of]}`
  const provider = (of: 'sp1' | 'sp2') => `/ServiceProviders/${t.sids[of]}`
  const ask = (who: string, path: string, said: string, more = '') =>
    t.request(
      who,
      'GET',
      `${path}/RecentCalls?page=1&count=25&days=1&said=${encodeURIComponent(said)}${more}`,
    )
  const found = async (who: string, path: string, said: string, more?: string) => {
    const answer = await ask(who, path, said, more)
    expect(answer.statusCode, answer.body).toBe(200)
    const { data, total } = answer.json() as { data: Call[]; total: number }
    expect(total).toBe(data.length)
    return data.map(({ call_sid }) => call_sid)
  }

  it.each([
    ['pay', ['a1-1', 'a1-2']],
    ['pay bill', ['a1-1', 'a1-2']],
    ['"pay my bill"', ['a1-1']],
    ['"what my bill"', []],
    ['"bill our"', []],
    ['sword', ['a1-2']],
    ['ord', []],
    ['付款', ['a1-3']],
    ['GRUSSE köln', ['a1-3']],
    ['drop table', ['a1-4']],
    ['"say and or not"', ['a1-4']],
    ['dont', ['a1-4']],
    ['reenter', ['a1-4']],
    ['1000', ['a1-4']],
    ['"don\'t re-enter 1,000"', ['a1-4']],
  ])('are those with %s', async (said, ids) => {
    for (const who of ['a1', 'a1-viewer', 'a1-key', 'sp1', 'sp1-viewer', 'admin'])
      expect(await found(who, account('a1'), said), who).toEqual(ids)
  })

  it.each([
    ...['"', '""', '*', '^', ':', '-', '%', '_', '\\', '😀'.repeat(100), '()', "' --", '¶', '·'],
  ])('are not searched for %j', async (said) => {
    const answer = await ask('a1', account('a1'), said)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().issues).toMatchObject([
      { path: ['said'], message: 'Enter 1 to 200 characters with at least one word' },
    ])
  })

  it.each([
    ...['pay AND', 'pay OR swordfish', 'NOT pay', 'NEAR(pay bill)', 'pay*', '^pay', 'words:pay'],
    ...['pay" OR "swordfish', "pay' OR 1=1 --", 'pay%', 'p_y', '%pay', 'pay\\', '\\pay', 'pay¶my'],
    ...['1·pay', '{p0:String}', 'pay; DROP TABLE said', `${'😀'.repeat(98)}pay`],
  ])('take %j for words', async (said) => {
    const ids = await found('a1', account('a1'), said)
    // each call found has every word
    const words = said.toLowerCase().match(/[a-z\d]+/g)!
    for (const id of ids) {
      const text = SAID.a1[Number(id!.split('-')[1]) - 1]!.join(' ').toLowerCase()
      for (const word of words) expect(text, said).toContain(word)
    }
    if (words.join() === 'pay') expect(ids).toEqual(['a1-1', 'a1-2'])
  })

  it.each([
    ['x'.repeat(201), 'Enter 1 to 200 characters with at least one word'],
    ['a b c d e f g h i j k', 'Enter at most 10 words, or phrases in quotation marks'],
  ])('are refused with %.20j, naming the field', async (said, message) => {
    for (const path of [account('a1'), provider('sp1'), '']) {
      const answer = await ask('admin', path, said)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().issues).toMatchObject([{ path: ['said'], message }])
    }
  })

  it('are never another owner’s, nor counted', async () => {
    for (const secret of ['a2secret', 'b1secret', 'b1']) {
      expect(await found('a1', account('a1'), secret)).toEqual([])
      expect(await found('admin', account('a1'), secret)).toEqual([])
    }
    for (const who of ['sp1', 'sp1-viewer', 'admin']) {
      expect(await found(who, provider('sp1'), 'b1secret')).toEqual([])
      expect(await found(who, provider('sp1'), 'swordfish')).toEqual(['a1-2'])
      expect(await found(who, provider('sp1'), '"pay my bill"')).toEqual(['a1-1', 'a2-1'])
    }
    expect((await found('admin', '', '"pay my bill"')).toSorted()).toEqual(['a1-1', 'a2-1', 'b1-1'])
    for (const [who, path, status] of [
      ['a1', account('a2'), 404],
      ['a1', account('b1'), 404],
      ['sp1', account('b1'), 404],
      ['sp1', provider('sp2'), 404],
      ['a1', provider('sp1'), 403],
      ['sp1', '', 403],
    ] as const)
      expect((await ask(who, path, 'pay')).statusCode, `${who} ${path}`).toBe(status)
  })

  it('are filtered by all else, too', async () => {
    const of = (more: string) => found('a1', account('a1'), 'pay', more)
    expect(await of('&direction=inbound')).toEqual(['a1-1'])
    expect(await of('&voice=response&at_least=2000')).toEqual(['a1-2'])
    expect(await of('&voice=turns')).toEqual([])
    expect(await of('&filter=a1-2')).toEqual(['a1-2'])
    expect(await of('&missing=sip_status')).toEqual(['a1-1', 'a1-2'])
    expect(await of('&trunk=x')).toEqual([])
  })

  it('can be exported', async () => {
    const of = (who: string, path: string) =>
      t.request(who, 'GET', `${path}/RecentCalls/Export?days=1&format=ndjson&said=pay`)
    const { statusCode, body } = await of('a1-viewer', account('a1'))
    expect(statusCode).toBe(200)
    // sids are random, but none has a part of two digits
    expect(body.match(/\ba1-\d/g)).toEqual(['a1-1', 'a1-2'])
    expect((await of('sp1', provider('sp1'))).body).not.toMatch(/\bb1-/)
  })

  it('are found by what their recordings say, until that is removed', async () => {
    const { call } = voiceCall('a1', 4)
    await voice.addRecorded(call, ['hello from', 'the recording'])
    for (const said of ['recording', '"hello from" drop'])
      expect(await found('a1', account('a1'), said)).toEqual(['a1-4'])
    expect(await found('a1', account('a1'), '"from the"')).toEqual([])
    await voice.keep([voiceCall('a1', 4)])
    expect(await found('sp1', provider('sp1'), 'recording')).toEqual(['a1-4'])
    await voice.addRecorded(call, [])
    expect(await found('a1', account('a1'), 'recording')).toEqual([])
    expect(await found('a1', account('a1'), 'drop')).toEqual(['a1-4'])
  })

  const set = (who: Who, words: 'keep' | 'mask' | 'leave_out', since: number) =>
    t.ctx.db
      .insertInto('switchroom_transcript_settings')
      .values({
        account_sid: t.sids[who],
        words,
        words_since: new Date(since).toISOString(),
        speech_credential_sid: null,
        language: null,
        minutes_a_day: null,
      })
      .execute()

  it('are none of accounts that have words left out', async () => {
    await set('a1', 'leave_out', timeOf(3))
    for (const who of ['a1', 'sp1', 'admin']) {
      expect(await found(who, account('a1'), 'pay')).toEqual([])
      expect(await found(who, account('a1'), 'pay', '&voice=response')).toEqual([])
    }
    expect(await found('sp1', provider('sp1'), 'pay')).toEqual(['a2-1'])
    expect((await found('admin', '', 'pay')).toSorted()).toEqual(['a2-1', 'b1-1'])
    const file = await t.request('sp1', 'GET', `${provider('sp1')}/RecentCalls/Export?said=pay`)
    expect(file.body).not.toMatch(/\ba1-/)
  })

  it('are those since words are masked', async () => {
    await set('a1', 'mask', timeOf(2) + 1)
    for (const who of ['a1', 'sp1', 'admin'])
      expect(await found(who, account('a1'), 'pay')).toEqual(['a1-1'])
    expect(await found('sp1', provider('sp1'), 'pay')).toEqual(['a1-1', 'a2-1'])
    expect(await found('sp1', provider('sp1'), 'swordfish')).toEqual([])
    await t.ctx.db.deleteFrom('switchroom_transcript_settings').execute()
    await set('a1', 'mask', timeOf(2))
    expect(await found('sp1', provider('sp1'), 'swordfish')).toEqual(['a1-2'])
  })

  it('are all of those that keep words, whenever they began to', async () => {
    await set('a1', 'keep', NOW)
    expect(await found('a1', account('a1'), 'pay')).toEqual(['a1-1', 'a1-2'])
  })

  it('are not searched where the traces are kept elsewhere', async () => {
    t.ctx.stores.voice = undefined
    try {
      for (const path of [account('a1'), provider('sp1'), '']) {
        const answer = await ask('admin', path, 'pay')
        expect(answer.statusCode).toBe(400)
        expect(answer.json()).toMatchObject({
          msg: 'The trace store does not support searching for words',
          issues: [{ path: ['said'] }],
        })
      }
    } finally {
      t.ctx.stores.voice = voice
    }
  })
})
