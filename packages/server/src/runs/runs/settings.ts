import { isRecord, membersOf, t } from '@switchroom/contract'
import type { Call } from './call.ts'
import { clip } from './recorder.ts'
import type { Members } from './run-application.ts'
import { setStreaming } from './streamed-speech.ts'

/** Settings that a run keeps, since later verbs show or use them. */
const KEPT = [
  'id',
  'synthesizer',
  'recognizer',
  'notifyEvents',
  'bargeIn',
  'actionHookDelayAction',
  'reset',
  'ttsStream',
  'amd',
  'transcribe',
]

/** Changes the settings of the call, as `config` and its command do. */
export function changeSettings(call: Call, data: Members) {
  const { settings, recorder } = call
  const {
    synthesizer,
    recognizer,
    notifyEvents,
    bargeIn,
    actionHookDelayAction,
    reset,
    transcribe,
  } = data
  for (const name of [reset].flat()) {
    if (name === 'synthesizer' || name === 'recognizer') settings[name] = {}
  }
  if (isRecord(synthesizer)) settings.synthesizer = synthesizer
  if (isRecord(recognizer)) settings.recognizer = recognizer
  if (typeof notifyEvents === 'boolean') settings.notifyEvents = notifyEvents
  if (isRecord(bargeIn)) settings.bargeIn = bargeIn.enable === true ? bargeIn : undefined
  if (isRecord(actionHookDelayAction)) settings.actionHookDelay = actionHookDelayAction
  if (isRecord(transcribe))
    settings.transcribe = transcribe.enable === true ? transcribe : undefined
  setStreaming(call, data.ttsStream)
  const others = Object.keys(data).filter((name) => !KEPT.includes(name))
  if (others.length > 0)
    recorder.event(
      'info',
      t('The platform changes {settings}. There is no audio here, so nothing else happens.', {
        settings: clip(others.join(', '), 200),
      }),
    )
}

/** The settings of a delayed answer that hold for a verb. */
export const delayOf = ({ settings }: Call, { actionHookDelayAction }: Members) => {
  const delay = membersOf(actionHookDelayAction ?? settings.actionHookDelay)
  return delay.enabled === true || delay.enable === true ? delay : undefined
}
