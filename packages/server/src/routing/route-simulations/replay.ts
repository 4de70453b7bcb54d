import {
  PatternTooSlow,
  REPLAY_CALLS_MAX,
  REPLAY_CHANGES_MAX,
  type ReplayResult,
  type RoutingCarrier,
} from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import type { CallStore, DialedNumber, Owner } from '../../stores/calls/store.ts'
import * as carrierRows from './carrier-queries.ts'
import { MatchingTime, matchRoutes } from './matching.ts'
import * as routing from './queries.ts'
import {
  type Account,
  type Draft,
  readWorlds,
  type Sources,
  TABLES_AT_ONCE,
  tablesBefore,
  type World,
  withDraft,
} from './replay-worlds.ts'

const DAY_MS = 86_400_000
/** Later than any record: components' clocks may be ahead. */
const EVER = 8.64e15
const TIME_MS = 8_000
/** Longest number that the API simulates. */
const NUMBER_MAX = 64
/** Values that records have in place of a carrier: these calls follow no routes. */
const NO_CARRIER = new Set(['user', 'sipUri', 'Microsoft Teams'])

/** Calls of an account to a number that are alike, `trunk` and `parent` as in their records. */
type Calls = {
  account: Account
  number: string
  from: string | null
  trunk: string | null
  parent: string | null
  calls: number
}
/** Sids of carriers that a call goes to without a route: a named one, or the one it came in on. */

export async function replay(
  { db, calls: store, avoided }: Sources,
  scope: Scope,
  draft: Draft,
): Promise<ReplayResult> {
  const from = Date.now() - DAY_MS
  const { numbers, capped } = await store.dialed(draft.owner, { from, to: EVER }, REPLAY_CALLS_MAX)
  const byAccount = await callsByAccount(db, scope, numbers)
  const accounts = [...byAccount.keys()]
  const providers = [...new Set(accounts.map((a) => a.service_provider_sid))]
  const stored = await routing.tablesOf(
    db,
    accounts.map((a) => a.account_sid),
    providers,
  )
  const tables = tablesBefore(stored)
  const drafted = tablesBefore(withDraft(stored, draft))
  const plans = accounts.map((account) => ({
    account,
    before: tables(account)[0]?.lcr_sid,
    after: drafted(account)[0]?.lcr_sid,
  }))
  const ambiguous = accounts.some((a) => {
    const both = drafted(a)
    return both.length > 1 && (!draft.table || both.some((t) => t.lcr_sid === draft.table?.lcr_sid))
  })
  const diff = new Difference()
  const all = [...byAccount.values()].flat()
  const isChanged = await routing.changedSince(
    db,
    { accounts: accounts.map((a) => a.account_sid), providers },
    new Date(from),
  )
  // asked only where there is no table
  const carrierOfCaller = await carrierRows.carriersOfCallers(
    db,
    plans
      .filter(({ before, after }) => !before || !after)
      .flatMap(({ account }) => byAccount.get(account)!)
      .flatMap(({ account, from }) => (from ? [{ account, from }] : [])),
  )
  const callers = all.flatMap(({ account, from }) => (from && carrierOfCaller(account, from)) || [])
  const parents = trunksOfParents(store, draft.owner)
  const time = new MatchingTime(TIME_MS)
  const base = { capped, ambiguous, avoided_unknown: false }
  try {
    const byTables = Map.groupBy(plans, (p) => JSON.stringify([p.before, p.after]))
    const groups = [...byTables.values()]
    for (let i = 0; i < groups.length; i += TABLES_AT_ONCE) {
      const some = groups.slice(i, i + TABLES_AT_ONCE)
      const worlds = await readWorlds({ db, avoided }, scope, draft, some.flat(), callers)
      base.avoided_unknown ||= worlds.isAvoidedUnknown
      for (const group of some) {
        const calls = group.flatMap((p) => byAccount.get(p.account)!)
        const { before, after } = group[0]!
        const distinct = [...new Set(calls.map((c) => c.number))]
        // another table only if the draft is one; the routes of equal ones are matched once
        const matched = {
          before: await matchRoutes(worlds.before.routesOf(before), distinct, time),
          after: undefined as Map<string, number> | undefined,
        }
        if (worlds.after.routesOf(after) !== worlds.before.routesOf(before))
          matched.after = await matchRoutes(worlds.after.routesOf(after), distinct, time)
        for (const call of calls) {
          await time.pause()
          const { account, number, trunk } = call
          const routes = {
            before: matched.before.get(number),
            after: (matched.after ?? matched.before).get(number),
          }
          const caller = call.from ? carrierOfCaller(account, call.from) : undefined
          const isUnrouted = routes.before === undefined || routes.after === undefined
          const cameIn = isUnrouted && call.parent ? await parents(call.parent) : undefined
          const wayIn = (world: World, table: string | undefined, route: number | undefined) =>
            world.wayOf(account, table, route, {
              named: table ? undefined : (caller ?? undefined),
              cameInOn: cameIn && world.carrierNamed(account, cameIn),
            })
          const ways = {
            before: wayIn(worlds.before, before, routes.before),
            after: wayIn(worlds.after, after, routes.after),
          }
          const named = trunk ? worlds.before.carrierNamed(account, trunk) : undefined
          const isElsewhere = named !== undefined && !ways.before.split(',').includes(named)
          if (isElsewhere && !isChanged) {
            const given = { named }
            diff.addNamed(
              call,
              worlds.before.wayOf(account, before, undefined, given),
              worlds.after.wayOf(account, after, undefined, given),
            )
          } else {
            diff.add(call, ways.before, ways.after)
            if (isElsewhere) diff.unexplained += call.calls
          }
        }
      }
      diff.name(worlds.before.carriers)
      diff.name(worlds.after.carriers)
    }
    return { ...base, ...diff.result(), too_slow: null }
  } catch (e) {
    if (!(e instanceof PatternTooSlow)) throw e
    return { ...base, ...new Difference().result(), too_slow: { pattern: time.pattern } }
  }
}

/** Calls by account. Leaves out calls that no routes apply to, and those of accounts that are gone or not in scope. */
async function callsByAccount(db: Db, scope: Scope, numbers: DialedNumber[]) {
  const sids = new Set(numbers.flatMap((n) => n.account_sid ?? []))
  const accounts = new Map(
    (await routing.accountsOf(db, scope, [...sids])).map((a) => [a.account_sid, a]),
  )
  const all = new Map<Account, Calls[]>()
  for (const { account_sid, to: number, from, trunk, parent, calls } of numbers) {
    const account = accounts.get(account_sid ?? '')
    if (!account || number.length > NUMBER_MAX || NO_CARRIER.has(trunk ?? '')) continue
    const own = all.get(account) ?? []
    all.set(account, own)
    own.push({ account, number, from, trunk, parent, calls })
  }
  return all
}

/** Calls that others were made for, which are looked up one by one. */
const MAX_PARENTS = 1_000
const PARENTS_MS = 2_000

/** The trunk that a call came in on, by its Call-ID; unknown beyond the lookups that a replay may make. */
function trunksOfParents(store: CallStore, owner: Owner) {
  const known = new Map<string, string | undefined>()
  let left_ms = PARENTS_MS
  return async (sip_callid: string): Promise<string | undefined> => {
    if (known.has(sip_callid) || known.size === MAX_PARENTS || left_ms <= 0)
      return known.get(sip_callid)
    const begun = performance.now()
    const call = await store.find(owner, { sip_callid })
    left_ms -= performance.now() - begun
    known.set(sip_callid, (call?.direction === 'inbound' && call.trunk) || undefined)
    return known.get(sip_callid)
  }
}

type Change = { before: string; after: string }

/** Ways are sids of carriers joined by commas; empty if the call fails. */
class Difference {
  #counts = { calls: 0, lost: 0, gained: 0, rerouted: 0, named: 0 }
  #ways = new Map<string, { before: number; after: number }>()
  #changes = new Map<string, Pick<Calls, 'account' | 'number' | 'calls'> & Change>()
  unexplained = 0
  #names = new Map<string, string>()

  name(carriers: RoutingCarrier[]) {
    for (const { voip_carrier_sid, name } of carriers) this.#names.set(voip_carrier_sid, name)
  }

  addNamed(call: Calls, before: string, after: string) {
    this.#counts.named += call.calls
    this.add(call, before, after)
  }

  add(call: Calls, before: string, after: string) {
    const counts = this.#counts
    counts.calls += call.calls
    if (before === after) return
    counts[after === '' ? 'lost' : before === '' ? 'gained' : 'rerouted'] += call.calls
    this.#way(before).before += call.calls
    this.#way(after).after += call.calls
    const { account, number, calls } = call
    const key = JSON.stringify([account.account_sid, number, before, after])
    const known = this.#changes.get(key)
    if (known) known.calls += calls
    else this.#changes.set(key, { account, number, calls, before, after })
  }

  #way(way: string) {
    const counts = this.#ways.get(way) ?? { before: 0, after: 0 }
    this.#ways.set(way, counts)
    return counts
  }

  #shown = (way: string) =>
    way === ''
      ? []
      : way.split(',').map((sid) => {
          const name = this.#names.get(sid)
          return name === undefined
            ? { voip_carrier_sid: null, name: null }
            : { voip_carrier_sid: sid, name }
        })

  result() {
    const isLost = (c: { after: string }) => (c.after === '' ? 0 : 1)
    const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
    const changes = [...this.#changes.values()].sort(
      (a, b) =>
        isLost(a) - isLost(b) ||
        b.calls - a.calls ||
        text(a.number, b.number) ||
        text(a.account.account_sid, b.account.account_sid),
    )
    return {
      ...this.#counts,
      unexplained: this.unexplained,
      ways: [...this.#ways]
        .filter(([, { before, after }]) => before !== after)
        .sort(
          ([a, x], [b, y]) =>
            Math.abs(y.after - y.before) - Math.abs(x.after - x.before) ||
            x.after - x.before - (y.after - y.before) ||
            text(a, b),
        )
        .slice(0, REPLAY_CHANGES_MAX)
        .map(([way, counts]) => ({ carriers: this.#shown(way), ...counts })),
      changes: changes.slice(0, REPLAY_CHANGES_MAX).map(({ account, before, after, ...call }) => ({
        ...call,
        account_sid: account.account_sid,
        account_name: account.name,
        before: this.#shown(before),
        after: this.#shown(after),
      })),
      changed_numbers: changes.length,
    }
  }
}
