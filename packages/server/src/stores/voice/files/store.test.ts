import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callRecord } from '../../../../test/voice.ts'
import { damagedFiles } from '../../kit/damage.ts'
import { recover } from '../../recover/recover.ts'
import type { VoiceCall, VoiceFilter } from '../store.ts'
import { Days } from './days.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MIDNIGHT = Math.floor(Date.now() / DAY) * DAY
const SPAN = { from: MIDNIGHT - 60 * DAY, to: MIDNIGHT + DAY }
const OWNER = { account_sid: 'a1' }
const FILTER: VoiceFilter = { ...OWNER, ...SPAN, counted: { by: 'all', key: '', measure: 'turns' } }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-voice-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (more: { days?: number; max_bytes?: number } = {}) =>
  new Days({ folder, days: 30, max_bytes: 1e12, ...more })

/** A call of a day before today, with some turns. */
function voiceCall(n: number, days: number, turns = 1): VoiceCall {
  const trace_id = n.toString(16).padStart(32, '0')
  const attempted_at = new Date(MIDNIGHT - days * DAY + (n % 86_400) * 1_000).toISOString()
  return {
    trace_id,
    call: callRecord({
      account_sid: 'a1',
      service_provider_sid: 'p1',
      call_sid: `call-${n}`,
      attempted_at,
      trace_id,
    }),
    words: ` number ${n} ¶ turns ${turns} `,
    counts: [
      { by: 'all', key: '', measure: 'calls', value: 0, n: 1 },
      { by: 'all', key: '', measure: 'turns', value: 0, n: turns },
      { by: 'all', key: '', measure: 'response', value: 10 + (n % 90), n: turns },
      { by: 'recognizer', key: 'google\nen-US', measure: 'turns', value: 0, n: turns },
    ],
  }
}
const voiceCalls = (from: number, to: number, days: number, turns?: number) =>
  Array.from({ length: to - from }, (_, i) => voiceCall(from + i, days, turns))

/** The figures and the list of all, which must agree. */
async function seen(days: Days) {
  const { calls, turns, recognizers, response } = await days.figures(OWNER, SPAN, {})
  const { total } = await days.list(FILTER, { limit: 0, offset: 0 })
  expect(total).toBe(calls)
  expect(response.known).toBe(turns)
  expect(recognizers.reduce((sum, one) => sum + one.turns, 0)).toBe(turns)
  // words are found if and only if the call is counted
  const found = await said(days, ' number', ' turns')
  expect(found).toBe(calls)
  return { calls, turns }
}
async function said(days: Days, ...wanted: string[]) {
  const filter = { ...OWNER, ...SPAN, said: { wanted, excluded: [] } }
  return (await days.list(filter, { limit: 0, offset: 0 })).total
}
const files = () => readdirSync(folder).filter((name) => name.endsWith('.db'))

it('moves a call to the day of its record', async () => {
  const days = open()
  await days.keep(voiceCalls(1, 11, 3))
  await days.keep([voiceCall(1, 1, 5), voiceCall(2, 3, 5), voiceCall(2, 4, 7)])
  expect(await seen(days)).toEqual({ calls: 10, turns: 8 + 5 + 7 })
  const yesterday = { from: MIDNIGHT - DAY, to: MIDNIGHT }
  expect(await days.list({ ...FILTER, ...yesterday }, { limit: 5, offset: 0 })).toMatchObject({
    total: 1,
    data: [{ call_sid: 'call-1' }],
  })
  expect(await days.figures(OWNER, yesterday, {})).toMatchObject({ calls: 1, turns: 5 })
  days.close()
})

it('moves and replaces what was said with its call', async () => {
  const days = open()
  const { call } = voiceCall(1, 3)
  await days.keep([voiceCall(1, 3)])
  await days.addRecorded(call, ' from the recording ')
  expect(await said(days, ' number 1 ', ' recording')).toBe(1)
  // to another day, and with other words
  await days.keep([voiceCall(1, 1, 7)])
  expect(await said(days, ' recording', ' turns 7')).toBe(1)
  expect(await said(days, ' turns 1')).toBe(0)
  await days.addRecorded(call, ' again ')
  expect([await said(days, ' recording'), await said(days, ' again')]).toEqual([0, 1])
  await days.addRecorded(call, '')
  expect([await said(days, ' again'), await said(days, ' number')]).toEqual([0, 1])
  days.close()
})

it('has no word left in its index of what is taken back', async () => {
  const days = open()
  const secret = { ...voiceCall(1, 1), words: ' swordfish ' }
  await days.keep([secret, ...voiceCalls(2, 300, 1)])
  await days.keep([{ ...secret, words: ' other ' }])
  await days.addRecorded(secret.call, ' barracuda ')
  await days.addRecorded(secret.call, '')
  days.close()
  const file = new DatabaseSync(join(folder, files()[0]!))
  const index = file.prepare('select block from said_data').all() as { block: Uint8Array }[]
  for (const word of ['swordfish', 'barracuda'])
    expect(
      index.some(({ block }) => Buffer.from(block).includes(word)),
      word,
    ).toBe(false)
  expect(index.some(({ block }) => Buffer.from(block).includes('other'))).toBe(true)
  file.close()
})

it('opens files of before words were kept, whose calls have none', async () => {
  const before = open()
  await before.keep(voiceCalls(0, 5, 1))
  before.close()
  const file = new DatabaseSync(join(folder, files()[0]!))
  file.exec('drop table said; drop table spoken; pragma user_version = 1')
  file.close()
  const after = open()
  const list = (filter: VoiceFilter) => after.list(filter, { limit: 0, offset: 0 })
  expect(await list(FILTER)).toMatchObject({ total: 5 })
  expect(await said(after, ' number')).toBe(0)
  await after.keep([voiceCall(1, 1, 4), voiceCall(7, 1)])
  expect(await said(after, ' number')).toBe(2)
  await after.addRecorded(voiceCall(2, 1).call, ' recorded ')
  expect(await said(after, ' recorded')).toBe(1)
  expect(await after.figures(OWNER, SPAN, {})).toMatchObject({ calls: 6, turns: 9 })
  after.close()
})

it('leaves nothing of what is taken back', async () => {
  const days = open()
  await days.keep(voiceCalls(1, 11, 1, 3))
  await days.keep(voiceCalls(1, 11, 1).map((one) => ({ ...one, counts: [], words: '' })))
  expect(await days.figures(OWNER, SPAN, {})).toMatchObject({ times: [], recognizers: [] })
  expect(await seen(days)).toEqual({ calls: 0, turns: 0 })
  days.close()
})

/** Keeps batches of calls that a process before may have kept with other counts, until it is killed. */
const CHILD = `
import { Days } from ${JSON.stringify(new URL('./days.ts', import.meta.url).href)}
const { folder, batches } = JSON.parse(await new Response(process.stdin).text())
const days = new Days({ folder, days: 30, max_bytes: 1e12 })
for (;;)
  for (const batch of batches) {
    await days.keep(batch)
    process.stdout.write('.')
  }
`

it('agrees with itself after it was killed, and is whole when the work is repeated', async () => {
  const before = open()
  await before.keep(voiceCalls(0, 400, 2, 9))
  before.close()
  for (let round = 0; round < 4; round++) {
    // half of the calls move to another day and back
    const batches = [voiceCalls(0, 200, 1 + (round % 2), 1 + round), voiceCalls(200, 400, 2, 2)]
    const args = ['--input-type=module', '-e', CHILD]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(JSON.stringify({ folder, batches }))
    // somewhere in the batch that follows
    for (let kept = 0; kept <= round; ) kept += (await once(child.stdout, 'data'))[0].length
    const over = once(child, 'exit')
    child.kill('SIGKILL')
    await over
    const after = open()
    await seen(after)
    for (const batch of batches) await after.keep(batch)
    expect(await seen(after)).toEqual({ calls: 400, turns: 200 * (1 + round) + 200 * 2 })
    after.close()
  }
})

describe('a damaged file', () => {
  const damages: Record<string, (file: string) => void> = {
    'has counts that are no JSON': (file) => {
      const db = new DatabaseSync(file)
      db.exec("update sums set counts = 'no JSON'")
      db.close()
    },
    'has a wrong header': (file) => writeFileSync(file, 'x'.repeat(100), { flag: 'r+' }),
    'is truncated': (file) => truncateSync(file, Math.floor(statSync(file).size / 8_192) * 4_096),
  }

  it('is none if it was never written to', async () => {
    const days = open()
    await days.keep(voiceCalls(0, 10, 1))
    days.close()
    writeFileSync(join(folder, files()[0]!), '')
    const after = open()
    await after.keep(voiceCalls(0, 10, 1))
    expect(await seen(after)).toEqual({ calls: 10, turns: 10 })
    expect(damagedFiles([folder])).toEqual([])
    after.close()
  })

  it.each(Object.keys(damages))('is set aside when it %s, and saved by hand', async (name) => {
    const days = open()
    await days.keep([...voiceCalls(0, 2_000, 1), ...voiceCalls(2_000, 2_100, 2)])
    days.close()
    damages[name]!(join(folder, files().at(-1)!))
    const after = open()
    await seen(after).catch(() => undefined)
    expect(await seen(after)).toEqual({ calls: 100, turns: 100 })
    expect(damagedFiles([folder])).toHaveLength(1)
    // kept again since, with other counts
    await after.keep(voiceCalls(0, 10, 1, 4))
    expect(await seen(after)).toEqual({ calls: 110, turns: 140 })
    after.close()
    const [saved] = recover('voice', folder)
    expect(damagedFiles([folder])).toEqual([])
    const recovered = open()
    const { calls, turns } = await seen(recovered)
    expect(calls).toBe(110 + saved!.saved)
    expect(turns).toBe(calls + 30)
    if (name === 'has a wrong header') expect(calls).toBeGreaterThan(1_900)
    recovered.close()
  })
})

it('keeps the calls of other days while a newer version’s file of one stays as it is', async () => {
  const days = open()
  await days.keep([voiceCall(1, 1), voiceCall(2, 2)])
  days.close()
  const newer = join(folder, files()[0]!)
  const db = new DatabaseSync(newer)
  db.exec('pragma user_version = 99')
  db.close()
  const before = readFileSync(newer)
  const after = open()
  await after.keep([voiceCall(3, 2), voiceCall(4, 1), voiceCall(5, 0)])
  expect(await seen(after)).toEqual({ calls: 3, turns: 3 })
  after.close()
  expect(readFileSync(newer)).toEqual(before)
})

describe('retention', () => {
  it('deletes by age, and takes nothing older', async () => {
    const days = open({ days: 3 })
    await days.keep([voiceCall(1, 1), voiceCall(2, 3), voiceCall(3, 4), voiceCall(4, 50)])
    expect(files()).toHaveLength(2)
    days.close()
    const shorter = open({ days: 2 })
    expect(await seen(shorter)).toEqual({ calls: 1, turns: 1 })
    await shorter.forget()
    expect(files()).toHaveLength(1)
    shorter.close()
  })

  it('deletes by size, the oldest first, also within a day', async () => {
    const days = open({ max_bytes: 1_000_000 })
    for (const day of [3, 2, 1])
      for (let n = day * 10_000; n < day * 10_000 + 3_000; n += 500)
        await days.keep(voiceCalls(n, n + 500, day))
    await days.forget()
    expect(files()).toHaveLength(1)
    const { calls } = await seen(days)
    expect(calls).toBeGreaterThan(0)
    expect(calls).toBeLessThan(3_000)
    const { data } = await days.list(FILTER, { limit: 1, offset: 0 })
    expect(data[0]).toMatchObject({ call_sid: 'call-12999' })
    days.close()
  })
})
