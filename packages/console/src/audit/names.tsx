import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { query } from '../lib/api'
import { names } from '../lib/endpoints'
import { isThingKind } from '../lib/thing-href'
import { ThingLink } from '../lib/thing-link'
import { Sid } from '../ui/sid'
import { valueText } from './value-text'

type Values = Record<string, unknown> | null | undefined

const SID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
/** As many as the server names at once. */
const MAX = 100

/**
 * How to show these values: a sid as the name of its thing, all of them asked for at once. Until they are known, and
 * where the server knows none, the sid stands by itself. `own`: the sid of the thing that has the values.
 */
export function useValueCells(own: string, ...all: Values[]): (value: unknown) => ReactNode {
  const values = all.flatMap((one) => Object.values(one ?? {}))
  const sids = [...new Set(values.filter((v) => typeof v === 'string' && SID.test(v) && v !== own))]
  const { data } = useQuery({
    ...query(names.list, { query: { sids: sids.slice(0, MAX).sort().join() } }),
    // a name that cannot be had is no failure of the page
    meta: { background: true },
    enabled: sids.length > 0,
  })
  const bySid = new Map<unknown, NonNullable<typeof data>[number]>(data?.map((n) => [n.sid, n]))
  return (value) => {
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
}
