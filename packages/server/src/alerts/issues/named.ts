import {
  ANOMALY_KINDS,
  ANOMALY_MEASURES,
  alertTypeText,
  type IssueMark,
  t,
} from '@switchroom/contract'
import { namesOf } from '../../calls/call-anomalies/queries.ts'
import * as carriers from '../../carriers/voip-carriers/queries.ts'
import type { Db } from '../../db/open.ts'
import { invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'

const isOneOf = <T extends string>(all: readonly T[], text: string): text is T =>
  (all as readonly string[]).includes(text)

/** The name of a key's resource, within the caller's scope. Throws 400 if there is none. */
export async function namedBy(
  db: Db,
  scope: Scope,
  { kind, key }: Pick<IssueMark, 'kind' | 'key'>,
): Promise<string> {
  const absent = () => invalidField('key', t('No such issue'))
  if (kind === 'alert') return alertTypeText(key).name
  if (kind === 'carrier') {
    const carrier = await carriers.find(db, scope, key)
    if (!carrier) throw absent()
    return carrier.name
  }
  const [subject = '', direction = '', measure = '', ...rest] = key.split(' ')
  const id = rest.join(' ')
  if (
    !isOneOf(ANOMALY_KINDS, subject) ||
    !isOneOf(['inbound', 'outbound', 'any'], direction) ||
    !isOneOf(ANOMALY_MEASURES, measure)
  )
    throw absent()
  if (subject !== 'account' && subject !== 'application') return id
  const name = (await namesOf(db, scope, [{ kind: subject, id }])).get(id)
  if (name === undefined) throw absent()
  return name
}
