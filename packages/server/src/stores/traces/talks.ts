import { setImmediate } from 'node:timers/promises'
import type { Trace } from '@switchroom/contract'
import { errorNumber } from '../../errors/members.ts'
import type { Talk } from '../../talk/counts.ts'
import { failureLog } from '../kit/failure-log.ts'

const trouble = failureLog('Counting what was said in a call')

/**
 * What calls count for, by trace: only those that are there and over. One that cannot be understood is left out, so that it
 * does not keep others from being counted. Yields between traces. Throws if the traces cannot be read.
 */
export async function talksIn(
  traces: { find: (trace_id: string) => Trace | undefined },
  trace_ids: readonly string[],
): Promise<Record<string, Talk>> {
  // loaded with the first call
  const { talkOf } = await import('../../talk/talk.ts')
  const talks: Record<string, Talk> = {}
  let failures = 0
  for (const trace_id of trace_ids) {
    try {
      const trace = traces.find(trace_id)
      const talk = trace && talkOf(trace)
      if (talk) talks[trace_id] = talk
    } catch (e) {
      // the disk, not the trace
      if (errorNumber(e, 'errcode') !== undefined) throw e
      failures++
      trouble.failed(e)
    }
    await setImmediate()
  }
  // the next one is told again
  if (failures === 0) trouble.worked()
  return talks
}
