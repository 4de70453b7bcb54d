import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type TestApp, testApp } from '../app.ts'
import { ask, createWorld, endpoints, type World } from './lines.ts'

// An administrator sees everybody's rows, so only a list's own filter keeps those of other owners out.

/**
 * Lists whose rows come from calls or the platform, which their own tests cover, searches, and lists without an owner.
 */
const ELSEWHERE =
  /^(?:accountRecentCalls|providerRecentCalls|accountVoice|providerVoice|accountAlerts|providerAlerts|liveCalls|queues|registeredUsers|limits|googleCustomVoices|signallingAddresses|carrierHealth|speechCatalogues|search|secondFactor|gettingStarted)\.|^customerReports\.(?:calls|export|mail)$|\.(?:view|webhookSecret|ttsCache|charges|count|refused)$/
/** The rows of providers, which no world has. */
const OF_PROVIDERS = ['apiKeys.ofServiceProvider', 'providerSpeechCredentials.list']

const namesIn = (schema: z.ZodType | undefined) =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []

const lists = endpoints
  .filter(({ e, title }) => e.method === 'GET' && !e.hosted && !ELSEWHERE.test(title))
  .flatMap((list) =>
    (['account_sid', 'service_provider_sid'] as const).flatMap((owner) => {
      const [first, ...more] = namesIn(list.e.params)
      if (first === owner && more.length === 0) return { ...list, owner, inPath: true }
      return !first && namesIn(list.e.query).includes(owner)
        ? { ...list, owner, inPath: false }
        : []
    }),
  )

let t: TestApp
let worlds: World[]
beforeAll(async () => {
  t = await testApp()
  worlds = [await createWorld(t, 'a1'), await createWorld(t, 'a2'), await createWorld(t, 'b1')]
})
afterAll(() => t.close())

/** Administrators, whom every provider sees among its users, and carriers that accounts of a provider share. */
const OF_ALL = /,admin,|^carrier \w+,,/

/** The lines of a CSV file without its head, and without rows that belong to more than one owner. */
const linesOf = (csv: string) =>
  csv
    .trim()
    .split('\r\n')
    .slice(1)
    .filter((line) => !OF_ALL.test(line))

/** The sids in a text that belong to a world, apart from the carrier that it shares with its provider. */
const sidsIn = (text: string, { sp: _, account: __, fresh: ___, shared: ____, ...own }: World) =>
  Object.values(own).filter((sid) => text.includes(sid))

describe.each(lists)('$title by $owner', ({ title, e, line, owner, inPath }) => {
  const sidOf = ({ account, sp }: World) => (owner === 'account_sid' ? account : sp)
  async function listOf(w: World) {
    const named = () => ({ [owner]: sidOf(w) })
    const of = inPath ? { params: named } : { query: named }
    const { status, body } = await ask(t, 'admin', e, { ...line, ...of }, w)
    expect(status, body).toBe(200)
    return body
  }

  async function checkExport() {
    const files = await Promise.all(worlds.map(listOf))
    for (const [i, file] of files.entries()) {
      expect(linesOf(file).length).toBeGreaterThan(0)
      for (const [j, other] of files.entries())
        if (sidOf(worlds[i]!) !== sidOf(worlds[j]!))
          expect(linesOf(file).filter((row) => linesOf(other).includes(row))).toEqual([])
    }
  }

  async function checkList() {
    for (const w of worlds) {
      const list = await listOf(w)
      const own = title === 'accounts.ofServiceProvider' ? [w.account] : sidsIn(list, w)
      if (!OF_PROVIDERS.includes(title)) expect(own.length).toBeGreaterThan(0)
      const others = worlds.filter((other) => sidOf(other) !== sidOf(w))
      expect(others.flatMap((other) => sidsIn(list, other))).toEqual([])
      if (owner === 'service_provider_sid')
        expect(others.filter(({ account }) => list.includes(account))).toEqual([])
    }
  }

  it('has only what belongs to it', e.path.endsWith('/Export') ? checkExport : checkList)
})
