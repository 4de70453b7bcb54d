import { type Call, hungUpBy } from '@switchroom/contract'
import { useConversation } from './conversation/use-conversation'
import { useCapture } from './use-capture'

/** The side that hung up, from all sources of a call. */
export function useHungUpBy(call: Call) {
  const { data: trace } = useConversation(call)
  const { data: seen } = useCapture(call)
  return hungUpBy(call, { seen, trace })
}
