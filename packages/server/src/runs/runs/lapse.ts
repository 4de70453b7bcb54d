import { t } from '@switchroom/contract'
import { type Call, checkStopped, isInterrupted } from './call.ts'

/**
 * Lets time pass in the call. It passes for real, up to a limit, if the application may speak during it, so that its
 * own timers meet the call where they would. Resolves to false if the application moved on before the end.
 */
export async function lapse(call: Call, ms: number): Promise<boolean> {
  const { clock, socket, interrupt, stop, recorder } = call
  if (isInterrupted(call)) return false
  const signal = AbortSignal.any([interrupt.signal, stop])
  const isWaited = socket !== undefined && !socket.isDone()
  const left = isWaited ? await clock.wait(ms, signal) : ms
  checkStopped(call)
  if (call.failure) throw call.failure
  if (signal.aborted) {
    recorder.event('info', t('The application moved on meanwhile.'))
    return false
  }
  if (isWaited && left > 0)
    recorder.event(
      'info',
      t('A run does not wait any longer than this. The rest of the time is skipped.'),
    )
  clock.pass(left)
  return true
}
