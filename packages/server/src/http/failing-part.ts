import type { HealthPartName } from '@switchroom/contract'
import { hasGivenWay, isUnreachable } from '../db/open.ts'
import { errorCode, errorMember, errorMessage } from '../errors/members.ts'
import { StateUnreachable } from '../live/state.ts'
import type { Finding, Health } from '../parts/registry.ts'
import { StoreUnavailable } from '../stores/kit/unavailable.ts'

const STORES: [RegExp, HealthPartName][] = [
  [/\(InfluxDB\)/, 'influxdb'],
  [/ClickHouse/, 'clickhouse'],
  [/\(Jaeger\)/, 'jaeger'],
  [/\(Homer\)/, 'homer'],
]

/** Errors of the database's connection, not of a statement that had to give way to another. */
const isConnectionLost = (e: unknown) =>
  isUnreachable(e) &&
  !hasGivenWay(e) &&
  // other clients have the same codes; those of the database are marked as fatal
  (errorMember(e, 'fatal') === true || /^(?:ER|PROTOCOL)_/.test(errorCode(e) ?? ''))

/** The part whose absence this error is about; undefined for any other error. */
export function failingPart(error: unknown): HealthPartName | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof StateUnreachable) return 'redis'
    if (e instanceof StoreUnavailable) {
      const message = errorMessage(e)
      return STORES.find(([pattern]) => pattern.test(message))?.[1]
    }
    if (isConnectionLost(e)) return 'database'
  }
  return undefined
}

/** For a check that needs the database: while that is down, it says nothing of its own part. */
export const unlessDatabaseIsDown =
  (health: Pick<Health, 'check' | 'parts'>, run: () => Promise<Finding>) => async () => {
    try {
      return await run()
    } catch (e) {
      await health.check(['database'])
      if (health.parts().some((p) => p.part === 'database' && p.state !== 'ok')) return undefined
      throw e
    }
  }
