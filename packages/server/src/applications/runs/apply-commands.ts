import { isRecord, membersOf, t } from '@switchroom/contract'
import { type Call, isAnswered } from './call.ts'
import { callMembers } from './call-members.ts'
import { exchange, readVerbs } from './exchange.ts'
import { hangUp } from './hang-up.ts'
import { clip } from './recorder.ts'
import { changeSettings } from './settings.ts'
import type { Command } from './socket-messages.ts'
import { whisper } from './whisper.ts'
import { WHISPER } from './whisper-name.ts'

const SERVICE_UNAVAILABLE = 503

/** Lets the commands that came in meanwhile take effect, in their order. */
export async function applyCommands(call: Call) {
  for (;;) {
    const command = call.commands.shift()
    if (!command || call.ended) return
    await apply(call, command)
  }
}

async function apply(call: Call, { command, data, is_queued, members }: Command) {
  const { recorder } = call
  switch (command) {
    case 'redirect':
      return redirect(call, data, is_queued)
    case 'call:status':
      return changeStatus(call, membersOf(data).call_status)
    case 'config':
      return changeSettings(call, membersOf(data))
    case 'tts:tokens':
      return sayTokens(call, membersOf(data))
    case WHISPER:
      return whisper(call, data)
    case 'llm:tool-output':
      return recorder.event(
        'warn',
        t('No language model is waiting for this output. The platform ignores it.'),
      )
    default:
      return recorder.event(
        'info',
        t('The platform carries out {command}. There is no audio here, so nothing else happens.', {
          command: clip(`${command}${members.callSid ? ` (${members.callSid})` : ''}`),
        }),
      )
  }
}

async function redirect(call: Call, data: unknown, is_queued: boolean) {
  if (isRecord(data)) {
    const hook = data.call_hook
    if (!hook) return
    const reply = await exchange(call, {
      name: 'session:redirect',
      hook,
      data: callMembers(call),
      expects: 'verbs',
    })
    call.list = reply.verbs ?? call.list
    return
  }
  const { verbs, problem } = readVerbs(data)
  if (problem)
    return call.recorder.event(
      'bad',
      t('The platform refuses the verbs of this redirect: {problem}', { problem: problem.text }),
    )
  call.list = is_queued ? [...call.list, ...(verbs ?? [])] : (verbs ?? [])
}

/** `completed` ends an answered call, `no-answer` one that is not. */
async function changeStatus(call: Call, status: unknown) {
  if (status === 'completed' && isAnswered(call))
    return hangUp(call, { by: 'application', text: t('The application ends the call.') })
  if (status === 'no-answer' && !isAnswered(call))
    return hangUp(call, {
      by: 'application',
      text: t('The application refuses the call.'),
      sip_status: SERVICE_UNAVAILABLE,
    })
  call.recorder.event('warn', t('This status does not fit the call. The platform ignores it.'))
}

async function sayTokens(
  { recorder, settings, side, socket, leg }: Call,
  { id, tokens }: Record<string, unknown>,
) {
  recorder.add({
    kind: 'said',
    verb: 'say',
    side,
    text: typeof tokens === 'string' ? tokens : null,
    vendor: textOf(settings.synthesizer.vendor),
    language: textOf(settings.synthesizer.language),
    voice: textOf(settings.synthesizer.voice),
    label: textOf(settings.synthesizer.label),
    loop: 1,
  })
  const message = { type: 'tts:tokens-result', call_sid: leg.call_sid, data: { id, status: 'ok' } }
  await socket?.send(message, false)
}

const textOf = (value: unknown) => (typeof value === 'string' ? clip(value) : null)
