import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, storeKinds, type TestStore, testStore } from '../../../test/calls.ts'

const MINUTE = 60_000
const WEEK = 7 * 86_400_000

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

/** Two hours around this time of the last five weeks, a call every twenty seconds; every seventh fails. */
async function write(
  store: TestStore,
  now: number,
  account: 'a1' | 'a2' | 'b1',
  more: { trunk: string; application_sid: string; broken: boolean },
) {
  let serial = 0
  for (let week = 0; week <= 4; week++) {
    const lines: string[] = []
    for (let at = now - 150 * MINUTE; at < now + 70 * MINUTE; at += 20_000) {
      if (week === 0 && at > now - 60_000) break
      const isBroken = more.broken && week === 0 && at > now - 40 * MINUTE
      const answered = !isBroken && serial % 7 !== 0
      serial++
      const ms = at - week * WEEK
      lines.push(
        callLine({
          ms,
          ns: serial,
          tags: {
            account_sid: t.sids[account],
            service_provider_sid: account === 'b1' ? t.sids.sp2 : t.sids.sp1,
            answered: String(answered),
            direction: 'outbound',
            trunk: more.trunk,
          },
          fields: {
            call_sid: `${account}-${serial}`,
            sip_callid: `${account}-${serial}`,
            to: '+442079460958',
            application_sid: more.application_sid,
            sip_status: answered ? 200 : 503,
            terminated_at: ms + 10_000,
            ...(answered && { answered_at: ms + 3_000 }),
          },
        }),
      )
    }
    expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
  }
}

it.each(storeKinds)(
  'tells each caller what is unusual among its own calls, from %s',
  async (kind) => {
    const store = await testStore(kind, 60)
    try {
      t.ctx.stores.calls = store.calls
      const now = Date.now()
      const hook = { url: 'https://app.example/hook', method: 'POST' }
      const added = await t.request('a1', 'POST', '/Applications', {
        name: 'Front desk',
        account_sid: t.sids.a1,
        call_hook: hook,
        call_status_hook: hook,
      })
      const application_sid: string = added.json().sid
      const names = { trunk: 'North', application_sid }
      await write(store, now, 'a1', { ...names, broken: true })
      await write(store, now, 'a2', { ...names, trunk: 'South', broken: false })
      // another provider's carrier has the same name, and nothing is wrong with it
      await write(store, now, 'b1', { ...names, broken: false })

      const of = async (who: string) =>
        (await t.as(who)(api.accountRecentCalls.anomalies, { params: { account_sid: t.sids.a1 } }))
          .data
      const found = await of('a1')
      expect(found.map((f) => [f.kind, f.id, f.measure])).toEqual(
        expect.arrayContaining([
          ['carrier', 'North', 'answered'],
          ['application', application_sid, 'answered'],
          ['account', t.sids.a1, 'answered'],
          ['prefix', '4420', 'answered'],
        ]),
      )
      const carrier = found.find((f) => f.kind === 'carrier')!
      expect(carrier.sentence).toMatch(
        /^Carrier North, outbound: \d+ % answered in the last \d+ minutes, usually 86 %$/,
      )
      expect(carrier.value).toBeLessThan(0.5)
      expect(Date.now() - Date.parse(carrier.since)).toBeLessThan(60 * MINUTE)
      const answer = await t.as('sp1')(api.providerRecentCalls.anomalies, {
        params: { service_provider_sid: t.sids.sp1 },
      })
      expect(answer.weeks).toBe(4)
      expect(carrier.direction).toBe('outbound')
      // two carriers, two accounts, an application and a prefix
      expect([answer.judged, answer.unjudged]).toEqual([6, []])
      expect(answer.data.map((f) => [f.kind, f.name])).toEqual(
        expect.arrayContaining([
          ['account', 'a1'],
          ['application', 'Front desk'],
        ]),
      )
      expect(answer.data.map((f) => f.id)).not.toContain('South')
      expect(answer.data.map((f) => f.id)).not.toContain(t.sids.a2)
      for (const [who, account_sid] of [
        ['a2', t.sids.a2],
        ['sp2', t.sids.b1],
      ] as const) {
        const others = await t.as(who)(api.accountRecentCalls.anomalies, {
          params: { account_sid },
        })
        expect(others.data, who).toEqual([])
      }
      await expect(of('a2')).rejects.toMatchObject({ status: 404 })
      await expect(of('sp2')).rejects.toMatchObject({ status: 404 })

      // the finding leads to its calls
      const { start, end } = carrier
      const list = await t.as('a1')(api.accountRecentCalls.list, {
        params: { account_sid: t.sids.a1 },
        query: { page: 1, count: 1, trunk: 'North', answered: 'known', start, end } as never,
      })
      // and one that had not ended when was looked, if there was one
      expect([carrier.calls, carrier.calls + 1]).toContain(list.total)
    } finally {
      await store.close()
    }
  },
)
