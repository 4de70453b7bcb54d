import type { CallStore } from '../calls/store.ts'
import type { TraceThreadOptions } from '../traces/clickhouse/store.ts'
import { type EmbeddedOptions, voiceFolder } from '../traces/files/store.ts'
import type { Arrivals } from '../traces/store.ts'
import { embeddedVoice } from './files/store.ts'
import { keepVoice } from './keeper.ts'
import type { VoiceStore } from './store.ts'

/** What conversations count for takes less than a fifth of the space of their traces. */
const VOICE_PART = 5

/** Where the traces are. */
type Traces =
  | ({ kind: 'clickhouse' } & Pick<TraceThreadOptions, 'clickhouse' | 'days'>)
  | ({ kind: 'embedded' } & Pick<EmbeddedOptions, 'folder' | 'days' | 'max_bytes'>)

/** Opens the figures of conversations, and keeps them as traces arrive. Close them before what they are made of. */
export async function openVoice(
  traces: Traces,
  arrivals: Arrivals,
  calls: Pick<CallStore, 'ofTraces'>,
): Promise<VoiceStore> {
  const voice = await storeOf(traces)
  const keeper = keepVoice({ arrivals, calls, voice })
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
