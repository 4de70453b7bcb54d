import { RECORD_FORMATS, type recordings, type Sent } from '@switchroom/contract'
import { oneOf } from '../../../lib/list-search'

type Which = Sent<typeof recordings.ofAccount>['params']

/** Where a recording is: below the API, or with somebody else, who is never told our token. */
export type Address = { params: Which } | { external: string }

const SID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'
const PATH = new RegExp(
  `/Accounts/(${SID})/RecentCalls/(${SID})/record/(\\d{4})/(\\d{1,2})/(\\d{1,2})/(${RECORD_FORMATS.join('|')})/?$`,
  'i',
)

/** What a record of a call says of its recording; undefined for what leads nowhere. `base`: the API's. */
export function addressOf(recording_url: string, base: string): Address | undefined {
  const url = URL.parse(recording_url, `${base}/`)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  if (url.origin !== new URL(base).origin) return { external: url.href }
  const [, account_sid, call_sid, year, month, day, ending] = PATH.exec(url.pathname) ?? []
  const format = oneOf(RECORD_FORMATS, ending?.toLowerCase())
  if (!account_sid || !call_sid || !year || !month || !day || !format) return undefined
  return { params: { account_sid, call_sid, year, month, day, format } }
}
