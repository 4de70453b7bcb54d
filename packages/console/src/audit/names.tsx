import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { query } from '../lib/api'
import { names } from '../lib/endpoints'
import { isThingKind } from '../lib/thing-href'
import { ThingLink } from '../lib/thing-link'
import { Sid } from '../ui/sid'
import { textsWithin } from './change-lines'
import { valueText } from './value-text'

type Values = Record<string, unknown> | null | undefined

const SID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
/** Most sids that the server names in one request. */
const MAX = 100

/**
 * How to show these values: a sid as the name of its thing, all of them asked for at once. Until they are known, and
 * where the server knows none, the sid stands by itself. `own`: the sid of the thing that has the values.
 */
export function useValueCells(own: string, ...all: Values[]): (value: unknown) => ReactNode {
  return useNamed(own, ...all).cell
}

/** The same, and the names by themselves: also of what is deeper in the values. */
export function useNamed(own: string, ...all: Values[]) {
  const values = all.flatMap(textsWithin)
  const sids = [...new Set(values.filter((v) => SID.test(v) && v !== own))]
  const { data } = useQuery({
    ...query(names.list, { query: { sids: sids.slice(0, MAX).sort().join() } }),
    // a name that cannot be had is no failure of the page
    meta: { background: true },
    enabled: sids.length > 0,
  })
  const bySid = new Map<unknown, NonNullable<typeof data>[number]>(data?.map((n) => [n.sid, n]))
  const nameOf = (sid: string) => bySid.get(sid)?.name
  const cell = (value: unknown): ReactNode => {
    const thing = bySid.get(value)
    if (!thing) return valueText(value)
    const { sid, kind, name, is_deleted } = thing
    return (
      <span className="audit-named">
        {!is_deleted && isThingKind(kind) ? <ThingLink kind={kind} sid={sid} name={name} /> : name}
        {is_deleted && <span className="none">{t('deleted')}</span>}
        <Sid sid={sid} />
      </span>
    )
  }
  return { cell, nameOf }
}
