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
  /** Where they are the operator's own server: throws `StoreUnavailable` when it does not answer. */
  ping?: () => Promise<void>
  close: () => Promise<void>
}

/** What the platform's components record, wherever it is kept. Each may throw `StoreUnavailable`. */
export type Stores = Omit<CallStores, 'ping'> & {
  /** The operator's own servers of records, by name. Each throws `StoreUnavailable` when it does not answer. */
  external: Record<string, () => Promise<void>>
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
    const { ping: pingCalls, ...calls } = await open(openCalls(config.telemetry))
    const traced = await open(openTraces(config.traces))
    const { ingested: ingestedTraces, ping: pingTraces, ...traces } = traced
    const captured = await open(openCaptures(config.captures))
    const { ingested: ingestedCaptures, ping: pingCaptures, ...captures } = captured
    return {
      ...calls,
      external: {
        ...(pingCalls && { InfluxDB: pingCalls }),
        ...(pingTraces && { Jaeger: pingTraces }),
        ...(pingCaptures && { Homer: pingCaptures }),
      },
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

/** What every store of records has beside what it is asked. */
type Opened<I> = Pick<CallStores, 'ping' | 'close'> & { ingested: I }

async function openTraces(
  traces: Config['traces'],
): Promise<TraceStore & Opened<Stores['ingestedTraces']>> {
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
): Promise<CaptureStore & Opened<Stores['ingestedCaptures']>> {
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
