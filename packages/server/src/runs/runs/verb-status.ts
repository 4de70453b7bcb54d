import type { Call } from './call.ts'
import type { Members, Verb } from './run-application.ts'

/** Sends a `verb:status` event, if a WebSocket application turned them on with `notifyEvents`. */
export function tellVerb(call: Call, { name, data }: Verb, event: Members) {
  const { settings, socket, leg, recorder } = call
  if (!settings.notifyEvents || !socket || call.ended) return
  const message = { ...event, id: data.id }
  void socket.send({ type: 'verb:status', call_sid: leg.call_sid, data: message }, false)
  recorder.add({
    kind: 'request',
    name: 'verb:status',
    verb: name,
    method: 'WS',
    url: socket.url,
    data: recorder.body(JSON.stringify(message)),
    answer: null,
    ms: 0,
    attempts: 1,
    problems: [],
  })
}

export const tellPlayback = (call: Call, verb: Verb, what: 'start' | 'stop' | 'kill') =>
  tellVerb(call, verb, { event: `${what}-playback`, verb: verb.name })
