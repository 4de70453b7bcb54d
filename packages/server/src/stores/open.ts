import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { AlertStore, CallStore } from './calls.ts'
import { homerCaptures } from './captures/homer.ts'
import type { CaptureMetrics } from './captures/intake.ts'
import { embeddedCaptures } from './captures/store.ts'
import type { CaptureStore } from './captures.ts'
import type { Metrics } from './embedded/counts.ts'
import { embeddedStores } from './embedded/store.ts'
import { influxStores } from './influx/store.ts'
import { cloudWatchLogs } from './logs/cloudwatch.ts'
import type { LogStore } from './logs.ts'
import { Spool } from './recordings/spool.ts'
import { recordingStore } from './recordings/store.ts'
import type { RecordingStore } from './recordings.ts'
import type { TraceMetrics } from './traces/intake.ts'
import { jaegerTraces } from './traces/jaeger.ts'
import { embeddedTraces } from './traces/store.ts'
import type { TraceStore } from './traces.ts'

/** Where call records and alerts are. */
export type CallStores = {
  calls: CallStore
  alerts: AlertStore
  /** What has come in here; undefined where nothing comes in. */
  ingested: () => Promise<Metrics | undefined>
  close: () => Promise<void>
}

/** What the platform's components record, wherever it is kept. Each may throw `StoreUnavailable`. */
export type Stores = CallStores & {
  traces: TraceStore
  /** The same of traces. */
  ingestedTraces: () => Promise<TraceMetrics | undefined>
  captures: CaptureStore
  /** The same of captures. */
  ingestedCaptures: () => Promise<CaptureMetrics | undefined>
  /** Undefined where the platform's logs are nowhere that we know. */
  logs: LogStore | undefined
  recordings: RecordingStore
  /** Recordings that are coming in, or wait for their store. */
  incoming: Spool
}

/**
 * The stores that the configuration names. Nothing is started before it is needed, but for the ports that
 * components send to. Throws where those cannot be had.
 */
export async function openStores(config: Config, outbound: Outbound): Promise<Stores> {
  const { aws_region, recordings } = config
  const opened: { close: () => Promise<void> }[] = []
  const open = async <S extends { close: () => Promise<void> }>(store: Promise<S>) => {
    opened.push(await store)
    return store
  }
  const close = async () => {
    for (const store of opened) await store.close()
  }
  try {
    const calls = await open(openCalls(config.telemetry))
    const { ingested: ingestedTraces, ...traces } = await open(openTraces(config.traces))
    const { ingested: ingestedCaptures, ...captures } = await open(openCaptures(config.captures))
    return {
      ...calls,
      traces,
      ingestedTraces,
      captures,
      ingestedCaptures,
      logs: aws_region === undefined ? undefined : cloudWatchLogs(aws_region),
      recordings: recordingStore(outbound, recordings),
      incoming: new Spool({ ...recordings, folder: join(recordings.folder, 'incoming') }),
      close,
    }
  } catch (e) {
    await close()
    throw e
  }
}

async function openCalls(telemetry: Config['telemetry']): Promise<CallStores> {
  if (telemetry.kind === 'influx') return influxStores(telemetry.url)
  const embedded = embeddedStores(telemetry)
  await embedded.open()
  return embedded
}

async function openTraces(
  traces: Config['traces'],
): Promise<TraceStore & { ingested: Stores['ingestedTraces']; close: () => Promise<void> }> {
  if (traces.kind === 'jaeger')
    return {
      ...jaegerTraces(traces.url),
      ingested: async () => undefined,
      close: async () => undefined,
    }
  const embedded = embeddedTraces(traces)
  await embedded.open()
  return embedded
}

async function openCaptures(
  captures: Config['captures'],
): Promise<CaptureStore & { ingested: Stores['ingestedCaptures']; close: () => Promise<void> }> {
  if (captures.kind === 'homer')
    return {
      ...homerCaptures(captures),
      ingested: async () => undefined,
      close: async () => undefined,
    }
  const embedded = embeddedCaptures(captures)
  await embedded.open()
  return embedded
}
