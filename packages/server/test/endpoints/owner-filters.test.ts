import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type TestApp, testApp } from '../app.ts'
import { ask, createWorld, endpoints, type World } from './lines.ts'

// An administrator sees everybody's rows, so only a list's own filter keeps those of other owners out.

const SINGLE = 'returns a single object'
const FROM_CALLS = 'rows come from calls; tested in its room'
const FROM_PLATFORM = 'rows come from the platform; tested in its room'
const SEARCH = 'a search'
const WITHOUT_OWNER = 'rows have no owner, or are shared'

/**
 * Lists not covered here: rows from calls or the platform (tested there), searches, and lists
 * without an owner. Title of the endpoint, and the reason.
 */
const EXCLUDED: Record<string, string> = {
  'accountAlerts.gathered': FROM_PLATFORM,
  'accountAlerts.list': FROM_PLATFORM,
  'accountIssues.count': SINGLE,
  'accountModelFigures.figures': FROM_CALLS,
  'accountRecentCalls.anomalies': FROM_CALLS,
  'accountRecentCalls.export': FROM_CALLS,
  'accountRecentCalls.figures': FROM_CALLS,
  'accountRecentCalls.list': FROM_CALLS,
  'accountVoice.figures': FROM_CALLS,
  'accounts.charges': 'always empty',
  'accounts.ttsCache': SINGLE,
  'accounts.view': SINGLE,
  'accounts.webhookSecret': SINGLE,
  'brands.view': SINGLE,
  'carrierHealth.troubles': FROM_CALLS,
  'customerReports.calls': FROM_CALLS,
  'customerReports.export': FROM_CALLS,
  'customerReports.mail': SINGLE,
  'customerReports.view': SINGLE,
  'gettingStarted.call': FROM_CALLS,
  'gettingStarted.view': SINGLE,
  'googleCustomVoices.list': 'rows belong to a speech service, which it requires',
  'languageModel.view': SINGLE,
  'limits.ofAccount': 'no world has limits; tested in its room',
  'limits.ofServiceProvider': 'no world has limits; tested in its room',
  'liveCalls.count': SINGLE,
  'liveCalls.list': FROM_PLATFORM,
  'liveCalls.ofAccount': FROM_PLATFORM,
  'modelSessions.refused': SINGLE,
  'modelSessions.view': SINGLE,
  'providerAlerts.gathered': FROM_PLATFORM,
  'providerAlerts.list': FROM_PLATFORM,
  'providerIssues.count': SINGLE,
  'providerModelFigures.figures': FROM_CALLS,
  'providerRecentCalls.anomalies': FROM_CALLS,
  'providerRecentCalls.export': FROM_CALLS,
  'providerRecentCalls.figures': FROM_CALLS,
  'providerRecentCalls.list': FROM_CALLS,
  'providerVoice.figures': FROM_CALLS,
  'queues.conferencesOfAccount': FROM_PLATFORM,
  'queues.list': FROM_PLATFORM,
  'queues.ofAccount': FROM_PLATFORM,
  'registeredUsers.list': FROM_PLATFORM,
  'registeredUsers.ofAccount': FROM_PLATFORM,
  'search.find': SEARCH,
  'secondFactor.policy': SINGLE,
  'serviceProviders.view': SINGLE,
  'signallingAddresses.sbcs': WITHOUT_OWNER,
  'signallingAddresses.smpps': WITHOUT_OWNER,
  'speechCatalogues.ofAccount': WITHOUT_OWNER,
  'speechCatalogues.ofServiceProvider': WITHOUT_OWNER,
  'transcriptSettings.view': SINGLE,
}
/** Lists of rows that belong to a provider itself, which no world has. */
const EMPTY = ['apiKeys.ofServiceProvider', 'providerSpeechCredentials.list']

const namesIn = (schema: z.ZodType | undefined) =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []

const candidates = endpoints
  .filter(({ e }) => e.method === 'GET' && !e.hosted)
  .flatMap((list) =>
    (['account_sid', 'service_provider_sid'] as const).flatMap((owner) => {
      const [first, ...more] = namesIn(list.e.params)
      if (first === owner && more.length === 0) return { ...list, owner, inPath: true }
      return !first && namesIn(list.e.query).includes(owner)
        ? { ...list, owner, inPath: false }
        : []
    }),
  )
const lists = candidates.filter(({ title }) => !(title in EXCLUDED))

it('excludes only endpoints that exist and take an owner', () => {
  const titles = candidates.map(({ title }) => title)
  expect(Object.keys(EXCLUDED).filter((title) => !titles.includes(title))).toEqual([])
})

let t: TestApp
let worlds: World[]
beforeAll(async () => {
  t = await testApp()
  worlds = [await createWorld(t, 'a1'), await createWorld(t, 'a2'), await createWorld(t, 'b1')]
})
afterAll(() => t.close())

/** Administrators, whom every provider sees among its users, and carriers that accounts of a provider share. */
const SHARED_ROW = /,admin,|^carrier \w+,,/

/** The lines of a CSV file without its head, and without rows that belong to more than one owner. */
const linesOf = (csv: string) =>
  csv
    .trim()
    .split('\r\n')
    .slice(1)
    .filter((line) => !SHARED_ROW.test(line))

const omit = (world: World, names: readonly (keyof World)[]) =>
  Object.entries(world).flatMap(([name, sid]) => (names.includes(name as keyof World) ? [] : [sid]))

/** The sids of a world that a text contains, but for its owners and what others share. */
const sidsIn = (text: string, world: World) =>
  omit(world, ['sp', 'account', 'fresh', 'shared']).filter((sid) => text.includes(sid))

describe.each(lists)('$title by $owner', ({ title, e, line, owner, inPath }) => {
  const ownerOf = ({ account, sp }: World) => (owner === 'account_sid' ? account : sp)
  async function listOf(world: World) {
    const values = () => ({ [owner]: ownerOf(world) })
    const input = inPath ? { params: values } : { query: values }
    const { status, body } = await ask(t, 'admin', e, { ...line, ...input }, world)
    expect(status, body).toBe(200)
    return body
  }

  async function checkExport() {
    const files = await Promise.all(worlds.map(listOf))
    for (const [i, file] of files.entries()) {
      expect(linesOf(file).length).toBeGreaterThan(0)
      for (const [j, other] of files.entries())
        if (ownerOf(worlds[i]!) !== ownerOf(worlds[j]!))
          expect(linesOf(file).filter((row) => linesOf(other).includes(row))).toEqual([])
    }
  }

  async function checkList() {
    for (const world of worlds) {
      const list = await listOf(world)
      const ownSids = title === 'accounts.ofServiceProvider' ? [world.account] : sidsIn(list, world)
      if (!EMPTY.includes(title))
        expect(ownSids.length, 'if it is no list, name it in EXCLUDED').toBeGreaterThan(0)
      const others = worlds.filter((other) => ownerOf(other) !== ownerOf(world))
      expect(others.flatMap((other) => sidsIn(list, other))).toEqual([])
      if (owner === 'service_provider_sid')
        expect(others.filter(({ account }) => list.includes(account))).toEqual([])
    }
  }

  it('contains only rows of the owner', e.path.endsWith('/Export') ? checkExport : checkList)
})
