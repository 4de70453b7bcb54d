import { randomUUID } from 'node:crypto'
import type { Call, VoiceFigures } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../test/calls.ts'
import { casesFor, ownClickHouse } from '../../../../test/clickhouse.ts'
import { type Count, keyOf } from '../../../talk/counts.ts'
import type { Owner } from '../../calls/store.ts'
import { type ClickHouse, clickHouse } from '../../clickhouse/client.ts'
import { staleHours } from '../../clickhouse/hours.ts'
import { keepSums } from '../../clickhouse/keep-sums.ts'
import { prepareTables } from '../../clickhouse/tables.ts'
import { voiceFigures } from '../figures.ts'
import type { Sum, VoiceCall, VoiceFilter, VoiceStore } from '../store.ts'
import { clickHouseVoice } from './store.ts'
import { VOICE_SUMS } from './sums.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Math.floor(Date.now() / HOUR) * HOUR
const SPAN = { from: NOW - 10 * DAY, to: NOW + HOUR }
const PAGE = { limit: 500, offset: 0 }

const random = seededRandom(7)
const pick = <T>(of: readonly T[]): T => of[random(of.length)]!

const idOf = () => randomUUID().replaceAll('-', '')

const callAt = (ms: number, more: Partial<Call> = {}): Call => ({
  account_sid: 'a1',
  service_provider_sid: 'p1',
  call_sid: randomUUID(),
  application_sid: 'app1',
  from: '+15085550101',
  to: '+441632960000',
  sip_callid: `${randomUUID()}@sip`,
  sip_parent_callid: null,
  answered: true,
  sip_status: 200,
  duration: 10,
  attempted_at: new Date(ms).toISOString(),
  answered_at: null,
  terminated_at: null,
  termination_reason: 'caller hungup',
  host: '10.0.0.1',
  remote_host: '10.0.0.2',
  direction: 'inbound',
  trunk: 'one',
  trace_id: null,
  recording_url: null,
  ...more,
})

const count = (measure: Count['measure'], more: Partial<Count> = {}): Count => ({
  by: 'all',
  key: '',
  measure,
  value: 0,
  n: 1,
  ...more,
})
const TALK = [
  count('calls'),
  count('turns', { n: 3 }),
  count('response', { value: 800, n: 2 }),
  count('response', { value: 2_100 }),
  count('turns', { by: 'recognizer', key: keyOf('google', 'de-DE'), n: 3 }),
  count('calls', { by: 'application', key: 'app1' }),
]
const voiceCall = (call: Call, counts: readonly Count[] = TALK, came?: number): VoiceCall => ({
  trace_id: idOf(),
  call,
  counts,
  ...(came !== undefined && { came }),
})

/** Counted one by one. */
function expected(calls: readonly VoiceCall[], owner: Owner, application_sid?: string) {
  const sums = calls
    .filter(({ call }) => {
      const at = Date.parse(call.attempted_at)
      return (
        at >= SPAN.from &&
        at < SPAN.to &&
        (owner.account_sid === undefined || call.account_sid === owner.account_sid) &&
        (owner.service_provider_sid === undefined ||
          call.service_provider_sid === owner.service_provider_sid) &&
        (application_sid === undefined || call.application_sid === application_sid)
      )
    })
    .flatMap(({ call, counts }) => {
      const at = Math.floor(Date.parse(call.attempted_at) / HOUR) * HOUR
      return counts
        .filter(({ by }) => application_sid === undefined || by !== 'application')
        .map((one): Sum => ({ ...one, at }))
    })
  return sorted(voiceFigures(sums, SPAN))
}
/** Ties come in any order. */
function sorted(figures: VoiceFigures) {
  const inOrder = <T>(list: readonly T[]) =>
    list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const { applications, recognizers, voices, vendors } = figures
  return {
    ...figures,
    applications: inOrder(applications),
    recognizers: inOrder(recognizers),
    voices: inOrder(voices),
    vendors: inOrder(vendors),
  }
}

describe.runIf(process.env.TEST_CLICKHOUSE_URL)(
  'what conversations count for, in ClickHouse',
  () => {
    let db: ClickHouse
    let own: ReturnType<typeof ownClickHouse>
    let voice: VoiceStore
    beforeEach(async () => {
      own = ownClickHouse('')
      const { clickhouse, days } = own.settings
      const server = clickHouse(clickhouse, { isMissing: true })
      await prepareTables(server, { ...clickhouse, days })
      await server.close()
      db = clickHouse(clickhouse)
      voice = clickHouseVoice(clickhouse, days)
    })
    afterEach(async () => {
      await voice.close()
      await db.close()
      await own.drop()
    })

    const stale = () =>
      staleHours(db, 'voice', { first: SPAN.from / 1_000, end: (NOW + 2 * HOUR) / 1_000 })
    /** Sums all hours, as if they had been written to ten minutes ago. */
    async function sumAll() {
      const hours = await db.rows<{ hour: number; touched: string }>(
        'SELECT toUnixTimestamp(hour) AS hour, max(touched) AS touched FROM touched_voice_hours GROUP BY hour',
      )
      await db.command('TRUNCATE TABLE touched_voice_hours')
      // or sums of a moment ago would be newer
      await db.command('TRUNCATE TABLE summed_voice_hours')
      for (const { hour, touched } of hours)
        await db.command(
          `INSERT INTO touched_voice_hours VALUES (toDateTime(${hour}, 'UTC'), ${BigInt(touched) - 600_000_000_000n})`,
        )
      const sums = keepSums(db, VOICE_SUMS, 30)
      await sums.now()
      await sums.stop()
      expect(await stale()).toBe(0)
    }
    const filterOf = (more: Partial<VoiceFilter> = {}): VoiceFilter => ({
      ...SPAN,
      account_sid: 'a1',
      counted: { by: 'all', key: '', measure: 'turns' },
      ...more,
    })
    const listed = async (more: Partial<VoiceFilter> = {}) => voice.list(filterOf(more), PAGE)
    const figuresOf = async (owner: Owner, application_sid?: string) =>
      sorted(
        await voice.figures(owner, SPAN, application_sid === undefined ? {} : { application_sid }),
      )
    /** Figures before and after they are summed, which are the same. */
    async function expectFigures(calls: readonly VoiceCall[], owner: Owner, application?: string) {
      expect(await figuresOf(owner, application)).toEqual(expected(calls, owner, application))
    }

    it('has a call as it was kept last', async () => {
      const one = voiceCall(callAt(NOW - 3 * HOUR))
      await voice.keep([one])
      for (const isSummed of [false, true]) {
        if (isSummed) await sumAll()
        expect(await listed()).toEqual({ data: [one.call], total: 1 })
        for (const owner of [{ account_sid: 'a1' }, { service_provider_sid: 'p1' }])
          for (const application of [undefined, 'app1', 'other'])
            await expectFigures([one], owner, application)
      }
      const again = { ...one, counts: [count('calls'), count('prompts', { n: 2 })] }
      await voice.keep([again])
      expect(await stale()).toBe(1)
      for (const isSummed of [false, true]) {
        if (isSummed) await sumAll()
        expect(await listed()).toEqual({ data: [], total: 0 })
        expect((await listed({ counted: { by: 'all', key: '', measure: 'prompts' } })).total).toBe(
          1,
        )
        await expectFigures([again], { account_sid: 'a1' })
        await expectFigures([again], { service_provider_sid: 'p1' }, 'app1')
      }
    })

    it.each([
      ['time', { attempted_at: new Date(NOW - 30 * HOUR).toISOString() }],
      ['account', { account_sid: 'a2' }],
      ['provider', { service_provider_sid: 'p2' }],
      ['application', { application_sid: 'app2' }],
      ['owner, and back,', { account_sid: null, service_provider_sid: null }],
    ])('counts a call once whose %s changes', async (_, change) => {
      const one = voiceCall(callAt(NOW - 3 * HOUR))
      const moved = { ...one, call: { ...one.call, ...change } }
      for (const kept of [one, moved, one]) {
        await voice.keep([kept])
        for (const isSummed of [false, true]) {
          if (isSummed) await sumAll()
          for (const account_sid of ['a1', 'a2'])
            for (const application of [undefined, 'app1']) {
              await expectFigures([kept], { account_sid }, application)
              const { total, data } = await listed({
                account_sid,
                ...(application !== undefined && { application_sid: application }),
              })
              const { turns } = expected([kept], { account_sid }, application)
              expect([total, data.length]).toEqual(turns > 0 ? [1, 1] : [0, 0])
            }
          for (const service_provider_sid of ['p1', 'p2'])
            await expectFigures([kept], { service_provider_sid })
        }
      }
    })

    it('counts what has seen more of a call, whichever process is faster', async () => {
      const later = voiceCall(callAt(NOW - 3 * HOUR), TALK, NOW + 5)
      const earlier = { ...later, counts: [count('calls')], came: NOW }
      await voice.keep([later])
      await voice.keep([earlier])
      await expectFigures([later], { account_sid: 'a1' })
      // with a record that is another by now
      await voice.keep([{ ...earlier, call: { ...earlier.call, account_sid: 'a2' } }])
      await expectFigures([later], { account_sid: 'a1' })
      await expectFigures([], { account_sid: 'a2' })
    })

    it('counts a call once that two processes keep at the same time with different records', async () => {
      const second = clickHouseVoice(own.settings.clickhouse, 30)
      const calls = Array.from({ length: 40 }, (_, i) =>
        voiceCall(callAt(NOW - i * HOUR), TALK, NOW),
      )
      const others = calls.map((one) => ({ ...one, call: { ...one.call, account_sid: 'a2' } }))
      await Promise.all([voice.keep(calls), second.keep(others)])
      await second.close()
      const { total: ofFirst } = await listed()
      const { total: ofSecond } = await listed({ account_sid: 'a2' })
      expect(ofFirst + ofSecond).toBe(40)
      expect((await figuresOf({ service_provider_sid: 'p1' })).calls).toBe(40)
    })

    it('is not summed by halves when a process is killed', async () => {
      const calls = Array.from({ length: 20 }, (_, i) => voiceCall(callAt(NOW - i * HOUR)))
      await voice.keep(calls)
      // the same calls are stored again after a crash; another process sums at the same time
      const sums = keepSums(db, VOICE_SUMS, 30)
      await Promise.all([voice.keep(calls), voice.keep(calls), sums.now()])
      await sumAll()
      await Promise.all([sums.now(), sums.now()])
      await sums.stop()
      await expectFigures(calls, { account_sid: 'a1' })
      // sums without the word that they count
      await db.command('TRUNCATE TABLE summed_voice_hours')
      await expectFigures(calls, { account_sid: 'a1' })
      await sumAll()
      await expectFigures(calls, { account_sid: 'a1' })
      expect((await listed()).total).toBe(20)
    })

    const ACCOUNTS = ['a1', 'a2', "a'3"] as const
    const PROVIDERS = ['p1', 'p2'] as const
    const APPLICATIONS = ['app1', 'app2', null] as const
    const randomCounts = (): Count[] => {
      const of = (by: Count['by'], key: string, measures: readonly Count['measure'][]) =>
        measures.flatMap((measure) =>
          random(3) ? [count(measure, { by, key, n: 1 + random(4) })] : [],
        )
      const times = (by: Count['by'], key: string, measure: Count['measure']) =>
        [...new Set(Array.from({ length: random(4) }, () => random(90) * 100))].map((value) =>
          count(measure, { by, key, value, n: 1 + random(3) }),
        )
      const recognizer = keyOf(pick(['google', "a'b\\", 'ü😀']), pick(['de-DE', null]))
      const speaker = keyOf(pick(['google', 'elevenlabs']), pick(['x', 'y']))
      return [
        ...of('all', '', ['calls', 'turns', 'not_understood', 'timed_out', 'hung_up', 'prompts']),
        ...times('all', '', 'response'),
        count('spent_on_webhook', { n: random(1_000) }),
        ...of('recognizer', recognizer, ['turns', 'failed']),
        ...times('recognizer', recognizer, 'response'),
        ...of('voice', speaker, ['prompts', 'cached']),
        ...times('voice', speaker, 'first_audio'),
        ...of('vendor', keyOf('voice', 'google'), ['requests', 'failed']),
      ]
    }
    const randomCall = () =>
      voiceCall(
        callAt(NOW + HOUR - 1 - random(casesFor('ClickHouse', 30) * HOUR), {
          account_sid: pick([...ACCOUNTS, null]),
          service_provider_sid: pick([...PROVIDERS, null]),
          application_sid: pick(APPLICATIONS),
          direction: pick(['inbound', 'outbound', null]),
          answered: pick([true, false, null]),
          trunk: pick(['one', 'two', null]),
          sip_status: pick([200, 486, null]),
          to: pick(['+15085550101', '15085550102', '+441632960000', null]),
        }),
        randomCounts(),
      )

    it('sums as counting one by one does, and lists what was counted, also with calls kept again', async () => {
      const calls = Array.from({ length: 400 }, randomCall)
      await voice.keep(calls)
      await sumAll()
      for (let i = 0; i < 100; i++) {
        const place = random(calls.length)
        const { trace_id } = calls[place]!
        calls[place] = { ...randomCall(), trace_id }
      }
      await voice.keep(calls.slice(0, 200))
      // some hours are summed, some have changed since
      for (const isSummed of [false, true]) {
        await voice.keep(calls.slice(200))
        if (isSummed) await sumAll()
        for (const owner of [
          ...ACCOUNTS.map((account_sid) => ({ account_sid })),
          ...PROVIDERS.map((service_provider_sid) => ({ service_provider_sid })),
        ])
          for (const application of [undefined, 'app1'])
            await expectFigures(calls, owner, application)
      }
      const newestFirst = calls.toSorted((a, b) => {
        const [one, other] = [a.call.attempted_at, b.call.attempted_at]
        return one === other ? (a.trace_id < b.trace_id ? 1 : -1) : one < other ? 1 : -1
      })
      for (let i = 0; i < casesFor('ClickHouse', 40); i++) {
        const owner = pick([
          {},
          { account_sid: pick(ACCOUNTS) },
          { service_provider_sid: pick(PROVIDERS) },
        ])
        const { by, key, measure, value } = pick(pick(calls).counts.concat(count('turns')))
        if (measure.startsWith('spent_on_')) continue
        const at_least = pick([undefined, value])
        const direction = pick([undefined, 'inbound', 'outbound'] as const)
        const answered = pick([undefined, true, false, 'known', 'unknown'] as const)
        const application_sid = pick([undefined, undefined, 'app1'])
        const prefix = pick([undefined, undefined, '1508'])
        const text = pick([undefined, undefined, '5550101', pick(calls).call.call_sid!])
        const sip_status = pick([undefined, undefined, 486])
        const missing = pick([undefined, ['trunk'], ['application_sid'], ['sip_status']] as const)
        const wanted = newestFirst.filter(({ call, counts }) => {
          const number = call.to ?? ''
          return (
            (!('account_sid' in owner) || call.account_sid === owner.account_sid) &&
            (!('service_provider_sid' in owner) ||
              call.service_provider_sid === owner.service_provider_sid) &&
            (direction === undefined || call.direction === direction) &&
            (answered === undefined ||
              (answered === 'known' && call.answered !== null) ||
              (answered === 'unknown' ? call.answered === null : call.answered === answered) ||
              false) &&
            (application_sid === undefined || call.application_sid === application_sid) &&
            (prefix === undefined || number.replace('+', '').startsWith(prefix)) &&
            (text === undefined ||
              [call.from, number].some((one) => one?.includes(text)) ||
              call.call_sid === text) &&
            (sip_status === undefined || call.sip_status === sip_status) &&
            (missing ?? []).every((name) => call[name] === null) &&
            counts.some(
              (one) =>
                one.by === by &&
                one.key === key &&
                one.measure === measure &&
                (at_least === undefined || one.value >= at_least),
            )
          )
        })
        const filter: VoiceFilter = {
          ...SPAN,
          ...owner,
          ...(direction && { direction }),
          ...(answered !== undefined && { answered }),
          ...(application_sid && { application_sid }),
          ...(prefix && { prefix }),
          ...(text && { text }),
          ...(sip_status && { sip_status }),
          ...(missing && { missing }),
          counted: {
            by,
            key,
            measure: measure as 'turns',
            ...(at_least !== undefined && { at_least }),
          },
        }
        const what = JSON.stringify(filter)
        const [limit, offset] = [pick([1, 10, 500]), pick([0, 0, 7])]
        const found = await voice.list(filter, { limit, offset })
        expect(found.total, what).toBe(wanted.length)
        const records = wanted.map(({ call }) => call)
        expect(found.data, what).toEqual(records.slice(offset, offset + limit))
        expect(await Array.fromAsync(voice.each(filter)), what).toEqual(records)
      }
    })

    it('has figures of the days of a time zone in long spans, and of hours in short ones', async () => {
      const calls = Array.from({ length: 60 }, (_, i) => voiceCall(callAt(NOW - i * 3 * HOUR)))
      await voice.keep(calls)
      for (const isSummed of [false, true]) {
        if (isSummed) await sumAll()
        for (const time_zone of ['America/New_York', 'Asia/Kolkata'])
          for (const from of [NOW - 9 * DAY, NOW - 2 * DAY]) {
            const span = { from, to: NOW + HOUR }
            const sums = calls.flatMap(({ call, counts }) => {
              const at = Math.floor(Date.parse(call.attempted_at) / HOUR) * HOUR
              return at < from ? [] : counts.map((one): Sum => ({ ...one, at }))
            })
            expect(sorted(await voice.figures({ account_sid: 'a1' }, span, { time_zone }))).toEqual(
              sorted(voiceFigures(sums, span, time_zone)),
            )
          }
      }
    })

    it('shows and counts nothing that is to be deleted', async () => {
      const old = voiceCall(callAt(NOW - 20 * DAY))
      const edge = voiceCall(callAt(NOW - 7 * DAY + 1))
      const one = voiceCall(callAt(NOW - HOUR))
      await voice.keep([old, edge, one])
      const short = clickHouseVoice(own.settings.clickhouse, 7)
      const span = { from: NOW - 300 * DAY, to: NOW + HOUR }
      const filter = { ...filterOf(), ...span }
      expect((await voice.list(filter, PAGE)).total).toBe(3)
      for (const isSummed of [false, true]) {
        if (isSummed) await sumAll()
        const figures = await short.figures({ account_sid: 'a1' }, span, {})
        expect(figures.calls).toBe((await short.list(filter, PAGE)).total)
        expect(figures.calls).toBeLessThan(3)
        expect(figures.from).toBe(new Date(span.from).toISOString())
        expect(await Array.fromAsync(short.each(filter))).toHaveLength(figures.calls)
      }
      await short.close()
    })

    it('returns no more keys than a table shows, the largest', async () => {
      const calls = Array.from({ length: 30 }, (_, i) =>
        voiceCall(
          callAt(NOW - HOUR),
          Array.from({ length: 20 }, (_, k) =>
            count('prompts', {
              by: 'voice',
              key: keyOf('vendor', `v${20 * i + k}`),
              n: 1 + 20 * i + k,
            }),
          ),
        ),
      )
      await voice.keep(calls)
      const { voices } = await figuresOf({ account_sid: 'a1' })
      expect(voices).toHaveLength(500)
      expect(Math.min(...voices.map(({ prompts }) => prompts))).toBe(101)
    })

    it('says that ClickHouse is away', async () => {
      const away = clickHouseVoice({ ...own.settings.clickhouse, url: 'http://127.0.0.1:1' }, 30)
      const why = 'The traces (ClickHouse) cannot be reached'
      await expect(away.keep([voiceCall(callAt(NOW))])).rejects.toThrow(why)
      await expect(away.list(filterOf(), PAGE)).rejects.toThrow(why)
      await expect(away.figures({ account_sid: 'a1' }, SPAN, {})).rejects.toThrow(why)
      await away.close()
    })
  },
)
