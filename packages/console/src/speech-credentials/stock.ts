import type { SpeechCredential } from '@switchroom/contract'

type Body = Record<string, unknown>
const flag = (value: unknown) => (value ? 1 : 0)

/**
 * As a stock server takes it: yes and no as numbers, and what its own console works out of the rest. It
 * empties whatever a change leaves out, so what the form leaves as it is goes along.
 */
export function stockBody(body: Body, row?: SpeechCredential): Body {
  const numbers = Object.fromEntries(
    Object.entries(body)
      .filter(([key]) => key !== 'mode')
      .map(([key, v]) => [key, typeof v === 'boolean' ? flag(v) : v]),
  )
  const whole = { ...(row && leftAsTheyAre(row, body)), ...numbers }
  const vendor = body.vendor ?? row?.vendor
  if (vendor === 'microsoft')
    return {
      ...whole,
      use_custom_tts: flag(whole.use_custom_tts || whole.custom_tts_endpoint_url),
      use_custom_stt: flag(whole.use_custom_stt || whole.custom_stt_endpoint_url),
    }
  // a host of the vendor's own is only reached with TLS
  if (vendor === 'deepgram' && whole.deepgram_stt_uri === 'api.eu.deepgram.com')
    return { ...whole, deepgram_stt_use_tls: 1 }
  return whole
}

const ROW =
  /_sid$|^(vendor|label|last_used|last_tested|tts_tested_ok|stt_tested_ok|created_at|version)$/
// it knows them itself and takes no others
const KEPT = /key|secret|token|password/

const leftAsTheyAre = (row: SpeechCredential, body: Body) =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([key, v]) => !ROW.test(key) && !KEPT.test(key) && !(key in body) && v !== null,
    ),
  )
