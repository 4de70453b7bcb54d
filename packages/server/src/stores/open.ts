import { join } from 'node:path'
import type { Outbound } from '../outbound/outbound.ts'
import type { ThreadOptions as ClickHouseStoreOptions } from './calls/clickhouse/store.ts'
import { embeddedStores } from './calls/files/store.ts'
import { allWaiting, type CallStores, type WaitingRows } from './calls/store.ts'
import { damagedFiles } from './kit/damage.ts'
import { type Kind, newerFiles } from './kit/formats.ts'
import type { LogStore } from './logs/store.ts'
import { Spool } from './recordings/spool.ts'
import { type RecordingStore, recordingStore } from './recordings/store.ts'
import type { CaptureThreadOptions } from './sip/clickhouse/store.ts'
import { type EmbeddedOptions as CaptureOptions, embeddedCaptures } from './sip/files/store.ts'
import type { HomerOptions } from './sip/homer/store.ts'
import type { CaptureMetrics } from './sip/intake.ts'
import type { CaptureStore } from './sip/store.ts'
import type { TraceThreadOptions } from './traces/clickhouse/store.ts'
import {
  embeddedTraces,
  type EmbeddedOptions as TraceOptions,
  voiceFolder,
} from './traces/files/store.ts'
import type { TraceMetrics } from './traces/intake.ts'
import type { TraceStore, WordsPolicy } from './traces/store.ts'
import type { VersionsOf, VoiceStore } from './voice/store.ts'

/** Stores of records, and their retention. */
export type StoresConfig = {
  /** Call records and alerts: InfluxDB, ClickHouse, or local files. */
  telemetry:
    | { kind: 'influx'; url: string }
    | ({ kind: 'clickhouse' } & ClickHouseStoreOptions)
    | {
        kind: 'embedded'
        folder: string
        days: number
        max_bytes: number
        /** The address to listen on for platform components; undefined to not listen. */
        listen: { host: string; port: number } | undefined
      }
  /** Traces: Jaeger, ClickHouse, or local files. */
  traces:
    | { kind: 'jaeger'; url: string }
    | ({ kind: 'clickhouse' } & Omit<TraceThreadOptions, 'words'>)
    | ({ kind: 'embedded' } & Omit<TraceOptions, 'words'>)
  recordings: {
    /** Recordings of accounts without a bucket, and pending uploads. */
    folder: string
    days: number
    max_bytes: number
    /** The most concurrent uploads. */
    at_once: number
    /** The credential of media servers; undefined to accept all from private networks. */
    credential: { username: string; password: string } | undefined
  }
  /** SIP captures: Homer, ClickHouse, or local files. */
  captures:
    | ({ kind: 'homer' } & HomerOptions)
    | ({ kind: 'clickhouse' } & CaptureThreadOptions)
    | ({ kind: 'embedded' } & CaptureOptions)
  /** The platform's logs, if they are in CloudWatch. */
  aws_region: string | undefined
}

/** All stores of the platform's records. Each may throw `StoreUnavailable`. */
export type Stores = Omit<CallStores, 'ping'> & {
  /** Checks of the operator's own servers, by name. Each throws `StoreUnavailable` if it does not answer. */
  external: Record<string, () => Promise<void>>
  /**
   * Files that were set aside because they are damaged, and those that a newer version wrote; undefined if no records are
   * in files of ours.
   */
  unusedFiles: (() => { damaged: string[]; newer: string[] }) | undefined
  traces: TraceStore
  /** The same of traces. */
  ingestedTraces: () => Promise<TraceMetrics | undefined>
  /** Conversation figures; undefined where traces are kept elsewhere, as in Jaeger. */
  voice: VoiceStore | undefined
  captures: CaptureStore
  /** The same of captures. */
  ingestedCaptures: () => Promise<CaptureMetrics | undefined>
  /** Undefined if the platform's logs are not configured. */
  logs: LogStore | undefined
  recordings: RecordingStore
  /** Recordings that are being received, or wait for their upload. */
  incoming: Spool
}

/**
 * Opens the configured stores. Nothing starts before it is needed, except the ports that components send to. Throws if
 * those are not available. `words`: how spans' words are kept at first. `versionsOf`: by what conversation
 * figures are split.
 */
export async function openStores(
  config: StoresConfig,
  outbound: Outbound,
  words: WordsPolicy,
  versionsOf: VersionsOf,
): Promise<Stores> {
  const { aws_region, recordings } = config
  const folders = recordFolders(config)
  const opened: { close: () => Promise<void> }[] = []
  const open = async <S extends { close: () => Promise<void> }>(store: Promise<S>) => {
    opened.push(await store)
    return store
  }
  let voice: VoiceStore | undefined
  const taken: (() => void)[] = []
  const close = async () => {
    await voice?.close()
    await Promise.all(opened.map((store) => store.close()))
    for (const release of taken) release()
  }
  try {
    for (const folder of takenInto(config)) {
      const { takeFolder } = await import('./taken-folder.ts')
      taken.push(takeFolder(folder))
    }
    const { ping: pingCalls, holdings, ...calls } = await open(openCalls(config.telemetry))
    const traced = await open(openTraces(config.traces, words))
    const { ingested: ingestedTraces, ping: pingTraces, waiting: tracesWaiting, ...traces } = traced
    const captured = await open(openCaptures(config.captures))
    const {
      ingested: ingestedCaptures,
      ping: pingCaptures,
      waiting: capturesWaiting,
      ...captures
    } = captured
    if (config.traces.kind !== 'jaeger' && traces.arrivals) {
      const { openVoice } = await import('./voice/open.ts')
      voice = await openVoice(config.traces, traces.arrivals, calls.calls, versionsOf)
    }
    const incoming = new Spool({ ...recordings, folder: join(recordings.folder, 'incoming') })
    return {
      ...calls,
      ...(holdings && {
        holdings: {
          ...holdings,
          async waiting() {
            const others = await Promise.all([tracesWaiting?.(), capturesWaiting?.()])
            return allWaiting([
              await holdings.waiting(),
              ...others.filter((rows) => rows !== undefined),
            ])
          },
        },
      }),
      external: {
        ...(pingCalls && { InfluxDB: pingCalls }),
        ...(pingTraces && { Jaeger: pingTraces }),
        ...(pingCaptures && { Homer: pingCaptures }),
      },
      unusedFiles:
        folders.length > 0
          ? () => ({
              damaged: damagedFiles([...folders.map(([, folder]) => folder), incoming.folder]),
              newer: [
                ...folders.flatMap(([kind, folder]) => newerFiles(kind, folder)),
                ...incoming.newer(),
              ],
            })
          : undefined,
      traces,
      voice,
      ingestedTraces,
      captures,
      ingestedCaptures,
      logs: aws_region === undefined ? undefined : await logsIn(aws_region),
      recordings: recordingStore(outbound, recordings),
      incoming,
      close,
    }
  } catch (e) {
    await close()
    throw e
  }
}

/** Loaded where it is used. */
const logsIn = async (aws_region: string) =>
  (await import('./logs/cloudwatch.ts')).cloudWatchLogs(aws_region)

/** The folders of records in files of ours. */
export function recordFolders({ telemetry, traces, captures }: StoresConfig): [Kind, string][] {
  const folders: [Kind, string][] = []
  if (telemetry.kind === 'embedded') folders.push(['calls', telemetry.folder])
  if (traces.kind === 'embedded')
    folders.push(['traces', traces.folder], ['voice', voiceFolder(traces.folder)])
  if (captures.kind === 'embedded') folders.push(['captures', captures.folder])
  return folders
}

/** The folders into which components' data is taken. */
export const takenInto = ({ telemetry, traces, captures }: StoresConfig): string[] => [
  ...(telemetry.kind === 'embedded' && telemetry.listen ? [telemetry.folder] : []),
  ...(traces.kind === 'embedded' && traces.listen.length > 0 ? [traces.folder] : []),
  ...(captures.kind === 'embedded' && captures.listen ? [captures.folder] : []),
]

async function openCalls(telemetry: StoresConfig['telemetry']): Promise<CallStores> {
  if (telemetry.kind === 'influx') {
    const { influxStores } = await import('./calls/influx/store.ts')
    return influxStores(telemetry.url)
  }
  if (telemetry.kind === 'clickhouse') {
    const { clickHouseStores } = await import('./calls/clickhouse/store.ts')
    const { kind: _, ...options } = telemetry
    const stores = clickHouseStores(options)
    await stores.open()
    return stores
  }
  const embedded = embeddedStores(telemetry)
  await embedded.open()
  return embedded
}

/** Members that all opened stores have in common. */
type OpenedStore<I> = Pick<CallStores, 'ping' | 'close'> & {
  ingested: I
  /** Only for ClickHouse. */
  waiting?: () => Promise<WaitingRows | undefined>
}

async function openTraces(
  traces: StoresConfig['traces'],
  words: WordsPolicy,
): Promise<TraceStore & OpenedStore<Stores['ingestedTraces']>> {
  if (traces.kind === 'jaeger') {
    const { jaegerTraces } = await import('./traces/jaeger/store.ts')
    return {
      ...jaegerTraces(traces.url),
      ingested: async () => undefined,
      close: async () => undefined,
    }
  }
  if (traces.kind === 'clickhouse') {
    const { clickHouseTraceStore } = await import('./traces/clickhouse/store.ts')
    const { kind: _, ...options } = traces
    const store = clickHouseTraceStore({ ...options, words })
    await store.open()
    return store
  }
  const embedded = embeddedTraces({ ...traces, words })
  await embedded.open()
  return embedded
}

async function openCaptures(
  captures: StoresConfig['captures'],
): Promise<CaptureStore & OpenedStore<Stores['ingestedCaptures']>> {
  if (captures.kind === 'homer') {
    const { homerCaptures } = await import('./sip/homer/store.ts')
    return {
      ...homerCaptures(captures),
      ingested: async () => undefined,
      close: async () => undefined,
    }
  }
  if (captures.kind === 'clickhouse') {
    const { clickHouseCaptureStore } = await import('./sip/clickhouse/store.ts')
    const { kind: _, ...options } = captures
    const store = clickHouseCaptureStore(options)
    await store.open()
    return store
  }
  const embedded = embeddedCaptures(captures)
  await embedded.open()
  return embedded
}
