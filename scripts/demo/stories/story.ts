import type { PlannedCall, Story } from '../planned-call.ts'
import type { Random } from '../random.ts'
import { tellAgent } from './agent.ts'
import { tellAssistant } from './assistant.ts'
import { tellMenu } from './menu.ts'
import { tellReminder } from './reminder.ts'
import type { Telling } from './telling.ts'
import { TraceBuilder } from './trace.ts'

const TELLERS = {
  assistant: tellAssistant,
  menu: tellMenu,
  reminder: tellReminder,
  agent: tellAgent,
}

/** Tells what happens in an answered call of an application, span by span. */
export function tellStory(call: PlannedCall, random: Random): Story {
  const application = call.application!
  const trace = new TraceBuilder(random)
  const isInbound = call.direction === 'inbound'
  const root = trace.add(isInbound ? 'incoming-call' : 'rest-call', undefined, 0, 0)
  const answered_ms = call.answered_at! - call.at
  const telling: Telling = { call, random, trace, root, answered_ms, speech: [], alerts: [] }
  if (isInbound) setUp(telling)
  const ending = TELLERS[application.kind](telling)
  const { ended_ms, ended_by } = ending
  const seconds = Math.round((ended_ms - answered_ms) / 1_000)
  const status = (name: string, start: number, more: object) =>
    trace.add(`call-status:${name}`, root, start, start + random.int(14, 40), {
      ...common(call),
      callStatus: name,
      ...more,
    })
  status('trying', Math.min(140, answered_ms - 1), { sipStatus: 100, sipReason: 'Trying' })
  status('in-progress', answered_ms, { sipStatus: 200, sipReason: 'OK' })
  status('completed', ended_ms, {
    sipStatus: 200,
    sipReason: 'OK',
    callTerminationBy: ended_by,
    duration: seconds,
  })
  Object.assign(trace.spans[0]!, {
    end: Math.max(...trace.spans.map(({ end }) => end)) + 2,
    attributes: {
      callSid: call.call_sid,
      accountSid: call.account.sid,
      callId: call.sip_callid,
      externalCallId: call.sip_callid,
      finalStatus: 200,
      'call.termination': `hangup by ${ended_by}`,
    },
  })
  return { spans: trace.spans, speech: telling.speech, alerts: telling.alerts, ...ending }
}

const common = (call: PlannedCall) => ({
  callSid: call.call_sid,
  direction: call.direction,
  from: call.from,
  to: call.to,
  callId: call.sip_callid,
  sbcCallid: call.sip_callid,
  accountSid: call.account.sid,
  applicationSid: call.application!.sid,
  traceId: call.trace_id,
  originatingSipIp: call.remote_host,
  originatingSipTrunkName: call.trunk,
})

/** Looking up account and application, and asking the application what to do. */
function setUp({ call, random, trace, root, answered_ms }: Telling) {
  const application = call.application!
  const asks = Math.max(30, Math.min(answered_ms - 40, random.int(60, 140)))
  trace.add('lookupAccountDetails', root, 2, 8)
  trace.add('lookupApplication', root, 9, 17, {
    'app.hook': application.url,
    application_sid: application.sid,
  })
  const verbs = {
    assistant: 'gather{inputs=speech,vendor=default,language=default,with nested say task}',
    menu: 'gather{inputs=digits,with nested say task}',
    reminder: 'say',
    agent: 'Llm_OpenAI_s2s',
  }
  trace.add('performAppWebhook', root, 19, 19 + asks, {
    'http.statusCode': 200,
    'app.tasks': `[${verbs[application.kind]}]`,
  })
}
