import { isSameValue, t } from '@switchroom/contract'
import { isRecord } from '../lib/records'

type Values = Record<string, unknown>

/** One thing that differs: where it is, in words, and both values. */
export type ChangeLine = {
  field: string
  was: unknown
  is: unknown
  /** Set if a whole part was added or removed. */
  part?: 'added' | 'removed'
}

type NameOf = (sid: string) => string | undefined

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const spelled = (key: string) => key.replace(/_sid$/, '').replaceAll('_', ' ')

/** Hooks by the names that their forms have. */
const HOOKS: Record<string, string> = {
  call_hook: t('Calling webhook'),
  call_status_hook: t('Call status webhook'),
  messaging_hook: t('Messaging webhook'),
  registration_hook: t('Registration webhook'),
  queue_event_hook: t('Queue event webhook'),
}

/** Parts of things: what one is called, what tells it from others, and what its own sids are. */
const PARTS: Record<
  string,
  { called: (part: Values, nameOf: NameOf) => string; key: (part: Values) => string }
> = {
  routes: {
    called: ({ regex }) => t('route {pattern}', { pattern: text(regex) }),
    key: ({ regex }) => text(regex),
  },
  lcr_carrier_set_entries: {
    called: ({ voip_carrier_sid: sid }, nameOf) =>
      t('carrier {name}', { name: nameOf(text(sid)) ?? text(sid) }),
    key: ({ voip_carrier_sid }) => text(voip_carrier_sid),
  },
  sip_gateways: {
    called: ({ ipv4 }) => t('gateway {address}', { address: text(ipv4) }),
    key: ({ ipv4, port }) => `${text(ipv4)}:${port ?? ''}`,
  },
  smpp_gateways: {
    called: ({ ipv4 }) => t('SMPP gateway {address}', { address: text(ipv4) }),
    key: ({ ipv4, port }) => `${text(ipv4)}:${port ?? ''}`,
  },
}
/** Which part this is, and of what: nothing that anybody reads. */
export const PART_SIDS: readonly string[] = [
  'lcr_sid',
  'lcr_route_sid',
  'lcr_carrier_set_entry_sid',
  'sip_gateway_sid',
  'smpp_gateway_sid',
  'default_carrier_set_entry_sid',
]
/** How many routes there are follows from the routes. */
const DERIVED = 'number_routes'

const OWN_SIDS: Record<string, string> = {
  routes: 'lcr_route_sid',
  lcr_carrier_set_entries: 'lcr_carrier_set_entry_sid',
  sip_gateways: 'sip_gateway_sid',
  smpp_gateways: 'smpp_gateway_sid',
}

/** An object or a list that is kept as text, such as an application's JSON. */
function read(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Members left out of a summary, since the part's name and place say the same. */
const LEFT_OUT = [...PART_SIDS, 'regex', 'ipv4', 'priority', 'workload']

/** Short text with the contents of a part. */
function summary(part: unknown, nameOf: NameOf): unknown {
  if (!isRecord(part)) return part
  return Object.entries(part)
    .flatMap(([key, value]) => {
      if (LEFT_OUT.includes(key) || value === null || value === '') return []
      if (Array.isArray(value)) return value.map((one) => summary(one, nameOf))
      return typeof value === 'string' ? (nameOf(value) ?? value) : `${spelled(key)} ${value}`
    })
    .join(', ')
}

/** Differences between two versions of a resource, one for each field of it and of its parts. */
export function changeLines(before: Values, after: Values, nameOf: NameOf): ChangeLine[] {
  const lines: ChangeLine[] = []
  const add = (path: string[], was: unknown, is: unknown, part?: ChangeLine['part']) => {
    lines.push({ field: path.join(': '), was, is, ...(part && { part }) })
  }

  function compare(path: string[], key: string, a: unknown, b: unknown) {
    const [was, is] = [read(a), read(b)]
    const isNothing = (value: unknown) => value === null || value === undefined || value === ''
    if (isSameValue(was, is) || (isNothing(was) && isNothing(is))) return
    const here = (label: string) => [...path, label]
    if (key in PARTS) return compareParts(path, key, was, is)
    const label = HOOKS[key] ?? spelled(key)
    if (isRecord(was) && isRecord(is)) return compareMembers(here(label), was, is)
    if (!Array.isArray(was) || !Array.isArray(is) || was.length !== is.length)
      return add(here(label), was, is)
    for (const [i, one] of was.entries()) compare(here(label), String(i + 1), one, is[i])
  }

  function compareMembers(path: string[], was: Values, is: Values) {
    for (const key of new Set([...Object.keys(was), ...Object.keys(is)]))
      if (!PART_SIDS.includes(key) && key !== DERIVED) compare(path, key, was[key], is[key])
  }

  function compareParts(path: string[], list: string, a: unknown, b: unknown) {
    const { called, key } = PARTS[list]!
    const sid = OWN_SIDS[list]!
    const recordsOf = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : [])
    const [were, are] = [recordsOf(a), recordsOf(b)]
    const left = new Set(are)
    const at = (part: Values) => [...path, called(part, nameOf)]
    const pairs = were.map((was) => {
      const is =
        [...left].find((part) => part[sid] !== undefined && part[sid] === was[sid]) ??
        [...left].find((part) => key(part) === key(was))
      if (is) left.delete(is)
      return { was, is }
    })
    for (const { was, is } of pairs)
      if (is) compareMembers(at(was), was, is)
      else add(at(was), summary(was, nameOf), undefined, 'removed')
    for (const part of left) add(at(part), undefined, summary(part, nameOf), 'added')
  }

  compareMembers([], before, after)
  return lines
}

/** All strings of some values, at any depth, as sids are among them. */
export function textsWithin(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsWithin)
  return isRecord(value) ? Object.values(value).flatMap(textsWithin) : []
}
