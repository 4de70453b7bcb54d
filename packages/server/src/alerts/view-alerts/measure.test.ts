import { expect, it } from 'vitest'
import type { Span } from '../../stores/calls/store.ts'
import type { Search } from './count-rows.ts'
import { denominatorSearch, measured } from './measure.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const WEEK = 7 * DAY
// in Europe and America clocks change within the four weeks before
const NOW = Date.parse('2026-11-10T09:00:00Z')
const ALERT = { measure: 'usual', minutes: 60 } as const
const ANSWERED = { answered: 'true', account_sid: 'a' }

/**
 * Counts of the weeks before, the latest first, and of this hour. Null: there were no records at
 * all until then.
 */
function store(now: number, before: (number | null)[]) {
  const asked: [Search, Span][] = []
  const count = async (search: Search, span: Span) => {
    asked.push([search, span])
    const week = Math.round((NOW - 60 * MINUTE - span.from) / WEEK)
    if (span.to - span.from === DAY) return 0
    if (span.to - span.from === WEEK) {
      const back = Math.round((NOW - span.to) / WEEK)
      return before.slice(back - 1).some((rows) => rows !== null) ? 1 : 0
    }
    return week === 0 ? now : (before[week - 1] ?? 0)
  }
  return { count, asked }
}
const usual = async (...before: (number | null)[]) =>
  (await measured(ALERT, ANSWERED, store(5, before).count, NOW)).comparedWith

it('compares with the same minutes of four weeks, by UTC', async () => {
  const { count, asked } = store(5, [20, 21, 22, 23])
  expect(await measured(ALERT, ANSWERED, count, NOW)).toEqual({ counted: 5, comparedWith: 22 })
  expect(asked.map(([search]) => search)).toEqual(Array(5).fill(ANSWERED))
  expect(asked.map(([, { from, to }]) => [from, to].map((ms) => new Date(ms).toJSON()))).toEqual([
    // a minute ahead, for clocks that are
    ['2026-11-10T08:00:00.000Z', '2026-11-10T09:01:00.000Z'],
    ['2026-10-13T08:00:00.000Z', '2026-10-13T09:00:00.000Z'],
    ['2026-10-20T08:00:00.000Z', '2026-10-20T09:00:00.000Z'],
    ['2026-10-27T08:00:00.000Z', '2026-10-27T09:00:00.000Z'],
    ['2026-11-03T08:00:00.000Z', '2026-11-03T09:00:00.000Z'],
  ])
})

it.each([
  // hours without calls count once there were records
  [[40, 0, 40, 40], 30],
  [[40, 40, 0, 0], 20],
  [[0, 0, 0, 0], 0],
  // weeks before the first records do not
  [[40, 40, null, null], 40],
  [[40, 0, null, null], 20],
  [[40, null, null, null], null],
  [[null, null, null, null], null],
])('of %j the usual number is %j', async (before, expected) => {
  expect(await usual(...before)).toBe(expected)
})

it('looks for first records where the calls are counted, and asks as little as it can', async () => {
  const searches = async (search: Search, before: (number | null)[]) => {
    const { count, asked } = store(5, before)
    await measured(ALERT, search, count, NOW)
    return asked
      .filter(([, { from, to }]) => to - from >= DAY)
      .map(([counted, { from, to }]) => [counted, (to - from) / DAY])
  }
  expect(await searches(ANSWERED, [40, 0, 0, 40])).toEqual([])
  expect(await searches(ANSWERED, [40, 0, 0, 0])).toEqual([
    [{ account_sid: 'a' }, 1],
    [{ account_sid: 'a' }, 7],
  ])
  expect(await searches({ at_least: '2000' }, [40, 40, 0, null])).toEqual([
    [{ voice: 'calls' }, 1],
    [{ voice: 'calls' }, 7],
    [{ voice: 'calls' }, 1],
    [{ voice: 'calls' }, 7],
  ])
  expect(await searches({ said: 'refund' }, [40, 0, 0, 0])).toEqual([
    [{ voice: 'calls' }, 1],
    [{ voice: 'calls' }, 7],
  ])
  expect(await searches({ score: 'failed', voice_of: 'version/a/1' }, [40, 0, 0, 0])).toEqual([
    [{ score: 'scored' }, 1],
    [{ score: 'scored' }, 7],
  ])
})

it('measures a share of what valid filters leave', async () => {
  const share = (search: Search) =>
    measured({ measure: 'share', minutes: 10 }, search, async (s) => (s.answered ? 3 : 40), NOW)
  expect(await share({ answered: 'known', sip_status: 'x' })).toEqual({
    counted: 3,
    comparedWith: 40,
  })
  for (const search of [{}, { trunk: 'North', answered: 'maybe' }, { sip_status: '' }])
    await expect(share(search)).rejects.toMatchObject({ issues: [{ path: ['measure'] }] })
  const search = { sip_status: 503, page_size: 25, account_sid: 'a', trunk: 'x' }
  expect(denominatorSearch(search)).toEqual({ trunk: 'x', account_sid: 'a' })
})
