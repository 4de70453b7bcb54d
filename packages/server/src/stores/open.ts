import type { Config } from '../config.ts'
import type { AlertStore, CallStore } from './calls.ts'
import type { Metrics } from './embedded/counts.ts'
import { embeddedStores } from './embedded/store.ts'
import { influxStores } from './influx/store.ts'

/** What the platform's components record, wherever it is kept. Each may throw `StoreUnavailable`. */
export type Stores = {
  calls: CallStore
  alerts: AlertStore
  /** What has come in here; undefined where nothing comes in. */
  ingested: () => Promise<Metrics | undefined>
  close: () => Promise<void>
}

/**
 * The stores that the configuration names. Nothing is started before it is needed, but for the port that
 * components send to. Throws where that cannot be had.
 */
export async function openStores({ telemetry }: Config): Promise<Stores> {
  if (telemetry.kind === 'influx') return influxStores(telemetry.url)
  const embedded = embeddedStores(telemetry)
  await embedded.open()
  return embedded
}
