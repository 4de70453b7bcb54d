import type { Switchroom } from '@switchroom/client'
import { UsageError } from './exit.ts'

const SID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/** Kinds that a search finds, by the parameter that names them: `account_sid` is an `account`. */
const SEARCHED = [
  ...['phone_number', 'account', 'application', 'voip_carrier', 'client', 'user'],
  ...['speech_credential', 'lcr', 'ms_teams_tenant', 'service_provider'],
]

const kindOf = (parameter: string) => parameter.replace(/_sid$/, '')

/**
 * Returns the sid of what a person named. Names are looked up in the caller's scope; other texts are returned
 * unchanged.
 */
export async function sidOf(switchroom: Switchroom, parameter: string, given: string) {
  const kind = kindOf(parameter)
  if (!parameter.endsWith('_sid') || SID.test(given) || !SEARCHED.includes(kind)) return given
  const { data } = await switchroom.search.find({ query: { q: given } })
  const found = data.filter((one) => one.kind === kind)
  const wanted = given.replace(/^\+/, '').toLowerCase()
  const exact = found.filter(({ name }) => name.toLowerCase() === wanted)
  if (exact.length === 1) return exact[0]!.sid
  const what = kind.replaceAll('_', ' ')
  const some = (exact.length > 1 ? exact : found)
    .map(({ sid, name, detail }) => `\n  ${sid}  ${name}${detail ? ` (${detail})` : ''}`)
    .join('')
  throw new UsageError(
    exact.length > 1
      ? `Several ${what}s are called "${given}". Name one by its sid:${some}`
      : `There is no ${what} "${given}".${some && ` Did you mean one of these?${some}`}`,
  )
}

const NAMES_MAX = 100

/** Looks up the names of the things in these rows that have only a sid, by sid. One request, or none. */
export async function namesIn(
  switchroom: Switchroom,
  rows: readonly Record<string, unknown>[],
  own?: string,
) {
  const sids = new Set<string>()
  for (const row of rows)
    for (const [key, value] of Object.entries(row))
      if (key !== own && key.endsWith('_sid') && typeof value === 'string' && SID.test(value))
        if (!(key.replace(/_sid$/, '_name') in row)) sids.add(value)
  if (sids.size === 0) return new Map<string, string>()
  const asked = [...sids].slice(0, NAMES_MAX).join(',')
  // a name is a convenience: a key that may not ask sees sids
  const found = await switchroom.names.list({ query: { sids: asked } }).catch(() => [])
  return new Map(found.map(({ sid, name }) => [sid, name]))
}
