import { randomBytes } from 'node:crypto'
import { isRecord } from '@switchroom/contract'
import type { Call, Leg } from './call.ts'
import type { Members } from './run-application.ts'

/** Names and contents of these are never changed. */
const VERBATIM = new Set(['customerData', 'sip', 'env_vars', 'args'])

/** `callSid` → `call_sid`: the platform converts all names that it sends, at every depth. */
export function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) =>
      VERBATIM.has(key) ? [key, one] : [snake(key), snakeCase(one)],
    ),
  )
}

const snake = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()

/** The trace of the call, with a span of its own for each message. */
export const traceHeader = ({ trace_id }: Call) => `${trace_id}-${randomBytes(8).toString('hex')}-1`

/** The stand-in for the platform's own addresses: documentation networks, which lead nowhere. */
const FEATURE_SERVER = '192.0.2.20:5060'
const CALLER_IP = '203.0.113.9'

/** The members of a call in every message but the first. */
export function callMembers(call: Call, leg: Leg = call.leg): Members {
  const { answered_at: _, ...own } = leg
  const { account_sid, application_sid } = call.application
  return {
    ...own,
    sbc_callid: call.sbc_callid,
    account_sid,
    application_sid,
    trace_id: call.trace_id,
    fs_sip_address: FEATURE_SERVER,
    ...(leg.direction === 'inbound' && { originating_sip_ip: CALLER_IP }),
    ...(call.customerData && { customerData: call.customerData }),
  }
}

/** The first message. Hooks of conferences and transcriptions get it as well, but for what is only sent once. */
export function firstMembers(call: Call): Members {
  const { application, leg } = call
  const { env_vars, service_provider_sid } = application
  return {
    ...rawMembers(call),
    caller_name: call.start.caller_name ?? '',
    service_provider_sid,
    defaults: defaults(call),
    ...(env_vars && Object.keys(env_vars).length > 0 && { env_vars }),
    // a GET webhook learns nothing of the call, not even in what is signed
    ...(!isGet(call) && { sip: invite(call, leg) }),
  }
}

const isGet = ({ base }: Call) => base?.method.toUpperCase() === 'GET' && !/^wss?:/i.test(base.url)

/** The call object as it is, which some hooks get instead of `callMembers`. */
export function rawMembers(call: Call): Members {
  const { fs_sip_address, customerData, ...rest } = callMembers(call)
  return {
    ...rest,
    ...(customerData !== undefined && { customer_data: snakeCase(customerData) }),
    has_recording: false,
    local_sip_address: fs_sip_address,
  }
}

function defaults({ application: a }: Call) {
  const uses_fallback = a.use_for_fallback_speech === 1
  return {
    synthesizer: present({
      vendor: a.speech_synthesis_vendor,
      language: a.speech_synthesis_language,
      voice: a.speech_synthesis_voice,
      label: a.speech_synthesis_label,
      ...(uses_fallback && {
        fallback_vendor: a.fallback_speech_synthesis_vendor,
        fallback_label: a.fallback_speech_synthesis_label,
        fallback_language: a.fallback_speech_synthesis_language,
        fallback_voice: a.fallback_speech_synthesis_voice,
      }),
    }),
    recognizer: present({
      vendor: a.speech_recognizer_vendor,
      language: a.speech_recognizer_language,
      label: a.speech_recognizer_label,
      ...(uses_fallback && {
        fallback_vendor: a.fallback_speech_recognizer_vendor,
        fallback_label: a.fallback_speech_recognizer_label,
        fallback_language: a.fallback_speech_recognizer_language,
      }),
    }),
  }
}

const present = (members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

/** The INVITE that the call would have begun with. */
function invite({ start, application, sbc_callid }: Call, { call_sid, from, to, call_id }: Leg) {
  const user = (name: string) => (name.includes('@') ? name : `${name}@${CALLER_IP}`)
  const uri = `sip:${to.includes('@') ? to : `${to}@${FEATURE_SERVER}`}`
  const display = start.caller_name ? `"${start.caller_name.replace(/["\\\r\n]/g, '')}" ` : ''
  const headers: Record<string, string> = {
    via: `SIP/2.0/UDP ${CALLER_IP};rport;branch=z9hG4bK${call_sid.slice(0, 8)}`,
    'max-forwards': '70',
    from: `${display}<sip:${user(from)}>;tag=${call_sid.slice(9, 13)}`,
    to: `<${uri}>`,
    'call-id': call_id,
    cseq: '1 INVITE',
    contact: `<sip:${CALLER_IP}:5060>`,
    'content-type': 'application/sdp',
    'X-CID': sbc_callid,
    'X-Forwarded-For': CALLER_IP,
    ...(application.account_sid && { 'X-Account-Sid': application.account_sid }),
    'X-Application-Sid': application.application_sid,
    ...start.sip_headers,
  }
  const body = [
    'v=0',
    `o=- 1 1 IN IP4 ${CALLER_IP}`,
    's=-',
    `c=IN IP4 ${CALLER_IP}`,
    't=0 0',
    'm=audio 30000 RTP/AVP 0 101',
    'a=rtpmap:101 telephone-event/8000',
    '',
  ].join('\r\n')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return {
    headers,
    raw: [`INVITE ${uri} SIP/2.0`, ...lines, '', body].join('\r\n'),
    body,
    method: 'INVITE',
    version: '2.0',
    uri,
    payload: [{ type: 'application/sdp', content: body }],
  }
}
