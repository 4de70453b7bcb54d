import type { Alert } from '@switchroom/contract'
import type { Value } from './lines.ts'
import { ownerTags, queryOf } from './query.ts'
import { type AlertFilter, storedAlertType } from './store.ts'
import { tag } from './tags.ts'

/** A query for points other than calls: one measurement, by tags and fields. */
export type PointQuery = {
  database: string
  measurement: string
  from: bigint
  to: bigint
  /** Exact tag or field values by name; `not` has values to exclude. */
  is: Record<string, Value>
  not?: Record<string, Value>
  /** Only points with this field. */
  has?: string | undefined
}

export function alertQuery(filter: AlertFilter): PointQuery {
  const { from, to } = queryOf(filter)
  const { target_sid } = filter
  const alert_type = storedAlertType(filter.alert_type)
  return {
    database: 'alerts',
    measurement: 'alerts',
    from,
    to,
    is: {
      ...ownerTags(filter),
      ...(alert_type !== undefined && { alert_type }),
      ...(target_sid !== undefined && { target_sid }),
    },
  }
}

export function alertOf(
  time: string,
  tags: Record<string, string>,
  fields: Record<string, Value>,
): Alert {
  const field = (name: string) =>
    Object.hasOwn(fields, name) ? String(fields[name]) : tag(tags, name)
  return {
    time,
    account_sid: tag(tags, 'account_sid'),
    service_provider_sid: tag(tags, 'service_provider_sid'),
    alert_type: tag(tags, 'alert_type'),
    message: field('message'),
    detail: field('detail'),
    target_sid: field('target_sid'),
    vendor: tag(tags, 'vendor'),
  }
}
