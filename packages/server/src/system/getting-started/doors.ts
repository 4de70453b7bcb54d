import type { Door, GettingStarted } from '@switchroom/contract'
import type { Config } from '../../config/config.ts'

type Listening = { host: string; port: number } | undefined

const here = (at: Listening): Door => (at ? { kind: 'here', ...at } : { kind: 'off' })

/** Addresses that the platform's components send call records, traces and SIP to. */
export function doorsOf({
  telemetry,
  traces,
  captures,
  database,
}: Config): NonNullable<GettingStarted['doors']> {
  return {
    calls: telemetry.kind === 'influx' ? { kind: 'elsewhere' } : here(telemetry.listen),
    traces: traces.kind === 'jaeger' ? { kind: 'elsewhere' } : here(traces.listen[0]),
    sip: captures.kind === 'homer' ? { kind: 'elsewhere' } : here(captures.listen),
    // components cannot read the embedded one
    database: { kind: database ? 'elsewhere' : 'off' },
  }
}
