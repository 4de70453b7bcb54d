import { RECORD_FORMATS } from '@switchroom/contract'
import type { recordings, Sent } from '../../../lib/endpoints'
import { oneOf } from '../../../lib/list-search'

type RecordingParams = Sent<typeof recordings.ofAccount>['params']

/** Location of a recording: behind the API, or on another server, which must never get our token. */
export type Address = { params: RecordingParams } | { external: string }

const SID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'
const PATH = new RegExp(
  `/Accounts/(${SID})/RecentCalls/(${SID})/record/(\\d{4})/(\\d{1,2})/(\\d{1,2})/(${RECORD_FORMATS.join('|')})/?$`,
  'i',
)

/** Parses the recording URL of a call record; undefined if it is not valid. `base`: URL of the API. */
export function addressOf(recording_url: string, base: string): Address | undefined {
  const url = URL.parse(recording_url, `${base}/`)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  if (url.origin !== new URL(base).origin) return { external: url.href }
  const [, account_sid, call_sid, year, month, day, ending] = PATH.exec(url.pathname) ?? []
  const format = oneOf(RECORD_FORMATS, ending?.toLowerCase())
  if (!account_sid || !call_sid || !year || !month || !day || !format) return undefined
  return { params: { account_sid, call_sid, year, month, day, format } }
}
