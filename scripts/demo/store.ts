import { ModelEvents } from './model-events.ts'
import type { PlannedCall } from './planned-call.ts'
import { isRecorded } from './provision-account.ts'
import { RecordingRefused, sendRecording } from './recording.ts'
import { alertLine, alertsOf, callLine, type DemoAlert } from './records.ts'
import { sendFrames, sendLines, sendTraces, type Trace } from './senders.ts'
import type { Ports } from './server.ts'
import { sipFrames } from './sip.ts'
import type { Span } from './stories/trace.ts'

/** Sends what calls leave behind to the server's ingest ports. */
export class Store {
  #url: string
  #ports: Ports
  #events: ModelEvents

  constructor(url: string, ports: Ports, folder: string) {
    this.#url = url
    this.#ports = ports
    this.#events = new ModelEvents(folder)
  }

  /** Call records only. */
  records = (calls: readonly PlannedCall[], recorded: ReadonlySet<PlannedCall> = new Set()) =>
    sendLines(
      this.#ports.influx,
      'cdrs',
      calls.map((call) => callLine(call, recorded.has(call))),
    )

  alerts = (alerts: readonly DemoAlert[]) =>
    sendLines(this.#ports.influx, 'alerts', alerts.map(alertLine))

  /** Everything: records, traces, SIP, events of model sessions, the alerts that calls set off, and the recordings of some. */
  async everything(calls: readonly PlannedCall[], recorded: ReadonlySet<PlannedCall>) {
    this.#events.store(calls)
    await Promise.all([
      this.records(calls, recorded),
      this.alerts(calls.flatMap(alertsOf)),
      sendTraces(this.#ports.traces, tracesOf(calls, recorded)),
      sendFrames(this.#ports.hep, calls.flatMap(sipFrames)),
      this.#recordings(recorded),
    ])
  }

  async #recordings(recorded: ReadonlySet<PlannedCall>) {
    for (const call of recorded)
      await sendRecording(this.#url, call).catch((e) => {
        // of an account that was just deleted
        if (!(e instanceof RecordingRefused)) throw e
        console.error(e.message)
      })
  }
}

export const tracesOf = (
  calls: readonly PlannedCall[],
  recorded: ReadonlySet<PlannedCall> = new Set(),
): Trace[] =>
  calls.flatMap((call) =>
    call.story
      ? { trace_id: call.trace_id, at: call.at, spans: spansOf(call, recorded.has(call)) }
      : [],
  )

/** True if the platform records this call. */
export const mayRecord = ({ account, application, story }: PlannedCall) =>
  story !== undefined && isRecorded(account.sector, application!.kind)

/** The spans of a call, with the one of its recording. A call that was hung up from outside ends early. */
function spansOf(call: PlannedCall, recorded: boolean): Span[] {
  const spans = call.story!.spans
  const end = call.ended_at - call.at
  const root = spans[0]!
  const recording: Span = {
    id: root.id.split('').reverse().join(''),
    parent: root.id,
    name: 'background-record:listen',
    start: call.answered_at! - call.at + 1,
    end,
    attributes: {},
  }
  const all = recorded ? [...spans, recording] : spans
  return call.story!.ended_ms <= end
    ? all
    : all.filter((s) => s.start <= end).map((s) => ({ ...s, end: Math.min(s.end, end) }))
}
