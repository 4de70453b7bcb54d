import type { CallStore } from '../calls/store.ts'
import type { TraceThreadOptions } from '../traces/clickhouse/store.ts'
import { type EmbeddedOptions, voiceFolder } from '../traces/files/store.ts'
import type { Arrivals } from '../traces/store.ts'
import { embeddedVoice } from './files/store.ts'
import { keepVoice } from './keeper.ts'
import type { VersionsOf, VoiceStore } from './store.ts'

/** Conversation figures take less than a fifth of the space of their traces. */
const VOICE_PART = 5

/** The store of the traces. */
type Traces =
  | ({ kind: 'clickhouse' } & Pick<TraceThreadOptions, 'clickhouse' | 'days'>)
  | ({ kind: 'embedded' } & Pick<EmbeddedOptions, 'folder' | 'days' | 'max_bytes'>)

/**
 * Opens the conversation figures, and keeps them as traces arrive. Close them before the stores of traces and calls.
 */
export async function openVoice(
  traces: Traces,
  arrivals: Arrivals,
  calls: Pick<CallStore, 'ofTraces'>,
  versionsOf: VersionsOf,
): Promise<VoiceStore> {
  const voice = await storeOf(traces)
  const keeper = keepVoice({ arrivals, calls, voice, versionsOf })
  return {
    ...voice,
    async close() {
      await keeper.stop()
      await voice.close()
    },
  }
}

async function storeOf(traces: Traces): Promise<VoiceStore> {
  if (traces.kind === 'clickhouse') {
    const { clickHouseVoice } = await import('./clickhouse/store.ts')
    return clickHouseVoice(traces.clickhouse, traces.days)
  }
  const { folder, days, max_bytes } = traces
  return embeddedVoice({
    folder: voiceFolder(folder),
    days,
    max_bytes: max_bytes / VOICE_PART,
  })
}
