import { type ApplicationView, MASK, type TestHook } from '@switchroom/contract'

/** Numbers that nobody has. */
const FROM = '15550100001'
const TO = '15550100002'

/** A payload as the platform sends it to a webhook, with invented values. */
export function samplePayload(hook: TestHook, application: ApplicationView) {
  const { account_sid, application_sid } = application
  if (hook === 'messaging_hook')
    return {
      message_sid: crypto.randomUUID(),
      account_sid,
      application_sid,
      from: FROM,
      to: TO,
      text: 'Hello from a test',
    }
  const call = {
    call_sid: crypto.randomUUID(),
    direction: 'inbound',
    from: FROM,
    to: TO,
    call_id: `${crypto.randomUUID()}@192.0.2.10`,
    sbc_callid: `${crypto.randomUUID()}@192.0.2.20`,
    account_sid,
    application_sid,
    trace_id: crypto.randomUUID().replaceAll('-', ''),
    originating_sip_ip: '192.0.2.20',
    originating_sip_trunk_name: 'Test carrier',
  }
  if (hook === 'call_status_hook')
    return {
      ...call,
      sip_status: 200,
      sip_reason: 'OK',
      call_status: 'completed',
      call_termination_by: 'caller',
      duration: 12,
      fs_sip_address: '192.0.2.10:5060',
    }
  return {
    ...call,
    sip_status: 100,
    sip_reason: 'Trying',
    call_status: 'trying',
    caller_name: 'Test caller',
    has_recording: false,
    local_sip_address: '192.0.2.10:5060',
    service_provider_sid: application.service_provider_sid ?? undefined,
    defaults: {
      synthesizer: {
        vendor: application.speech_synthesis_vendor,
        language: application.speech_synthesis_language,
        voice: application.speech_synthesis_voice,
      },
      recognizer: {
        vendor: application.speech_recognizer_vendor,
        language: application.speech_recognizer_language,
      },
    },
    ...(application.env_vars && {
      env_vars: Object.fromEntries(Object.keys(application.env_vars).map((name) => [name, MASK])),
    }),
    sip: {
      headers: { from: `<sip:${FROM}@192.0.2.20>;tag=1`, to: `<sip:${TO}@192.0.2.10>` },
      method: 'INVITE',
      version: '2.0',
      uri: `sip:${TO}@192.0.2.10`,
    },
  }
}
