import { t, type Webhook } from '@switchroom/contract'
import { type AppSocket, appSocket } from './app-socket.ts'
import type { Call } from './call.ts'
import { receiveCommand } from './commands.ts'
import { RunOver } from './limits.ts'
import { clip } from './recorder.ts'

/** Opens the WebSocket of an application with its first message, and hears what it sends by itself. */
export function openSocket(call: Call, hook: Webhook): AppSocket {
  // nobody waits for what happens in here: what goes wrong is kept for whoever asks next
  const guarded =
    <A extends unknown[]>(work: (...given: A) => void) =>
    (...given: A) => {
      try {
        if (!call.failure) work(...given)
      } catch (e) {
        fail(e)
      }
    }
  const fail = (e: unknown) => {
    call.failure ??= e
    call.interrupt.abort()
  }
  const socket = appSocket(call, hook, {
    onCommand: guarded((command) => receiveCommand(call, command, socket === call.socket)),
    onInvalid: guarded((content, details) => {
      call.recorder.event(
        'bad',
        t('The platform refuses a message of the application: {details}', {
          details: clip(details),
        }),
      )
      report(call, socket, { msg: 'InvalidMessage', details, content: clip(content, 1_000) })
    }),
    onEvent: guarded((text) => call.recorder.event('warn', text)),
    onDone: () => {
      if (call.isIdle) call.interrupt.abort()
    },
    onLost: guarded((text) => {
      call.recorder.event('bad', text)
      if (call.outer && socket === call.socket) call.isCalledGone = true
      else call.isLost = true
      call.interrupt.abort()
    }),
    onFlood: () =>
      fail(
        new RunOver(
          t('Limit reached: the application sends too many messages. The run ends here.'),
        ),
      ),
  })
  return socket
}

/** Tells a WebSocket application of an error, which it need not acknowledge. */
export function report(call: Call, socket: AppSocket, data: Record<string, string>) {
  const { recorder, leg } = call
  void socket.send({ type: 'jambonz:error', call_sid: leg.call_sid, data }, false)
  recorder.add({
    kind: 'request',
    name: 'jambonz:error',
    verb: null,
    method: 'WS',
    url: clip(socket.url, 1_000),
    data: recorder.body(JSON.stringify(data)),
    answer: null,
    ms: 0,
    attempts: 1,
    problems: [],
  })
}
