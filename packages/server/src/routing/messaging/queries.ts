import type { Db } from '../../db/open.ts'
import { callRoutesOf } from '../route-simulations/queries.ts'
import { regexTimeout } from '../route-simulations/regex-timeout.ts'

/** Most numbers of a message that are looked up. */
const MAX_NUMBERS = 100

const HOOKS = ['call_hook', 'call_status_hook', 'messaging_hook'] as const

/**
 * The application of the first number that has one: its own, or else that of its account's first matching call route.
 * Called for carriers, so without a scope.
 */
async function applicationSidOf(db: Db, numbers: string[]): Promise<string | undefined> {
  const wanted = [...new Set(numbers.map((number) => number.replace(/^\+/, '')))]
  const some = wanted.filter((number) => number !== '').slice(0, MAX_NUMBERS)
  if (some.length === 0) return undefined
  const rows = await db
    .selectFrom('phone_numbers')
    .select(['number', 'account_sid', 'application_sid'])
    .where('number', 'in', some)
    .execute()
  const accounts = rows.flatMap((row) => row.account_sid ?? [])
  const routes = await callRoutesOf(db, [...new Set(accounts)])
  const matches = regexTimeout()
  for (const number of some) {
    const own = rows.filter((row) => row.number === number)
    const sid = own.find((row) => row.application_sid)?.application_sid
    if (sid) return sid
    const route = routes.find(
      ({ account_sid, regex }) =>
        own.some((row) => row.account_sid === account_sid) && matchesNumber(matches, regex, number),
    )
    if (route) return route.application_sid
  }
  return undefined
}

/** True if a number matches. Broken or runaway patterns never match. */
function matchesNumber(matches: ReturnType<typeof regexTimeout>, regex: string, number: string) {
  try {
    return matches(regex, number)
  } catch {
    return false
  }
}

/**
 * The application for a message to these numbers, in the format of the platform's own lookup: the row with
 * its hooks expanded. For feature servers only.
 */
export async function applicationOf(db: Db, numbers: string[]) {
  const sid = await applicationSidOf(db, numbers)
  if (!sid) return undefined
  const row = await db
    .selectFrom('applications')
    .selectAll()
    .where('application_sid', '=', sid)
    .executeTakeFirst()
  if (!row) return undefined
  const sids = HOOKS.flatMap((hook) => row[`${hook}_sid`] ?? [])
  const hooks = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('webhook_sid', 'in', sids.length > 0 ? sids : [''])
    .execute()
  const set: Partial<Record<(typeof HOOKS)[number], object>> = {}
  for (const name of HOOKS) {
    const hook = hooks.find(({ webhook_sid }) => webhook_sid === row[`${name}_sid`])
    if (hook?.url) set[name] = hook
  }
  return { ...row, ...set }
}
