import type { Call } from '@switchroom/contract'
import { contradictionsOf } from './contradictions'
import { useConversation } from './conversation/use-conversation'
import { useRecordedLength } from './player/playback-store'
import { useCapture } from './use-capture'

/** Contradictions between the sources of a call, as sentences. */
export function useContradictions(call: Call): string[] {
  const { data: trace } = useConversation(call)
  const { data: seen } = useCapture(call)
  const recorded = useRecordedLength()
  return contradictionsOf(call, { seen, trace, recorded })
}
