import type { Call } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../lib/api'
import { captures } from '../../lib/endpoints'
import { useCapabilities } from '../../lib/use-capabilities'

/** The SIP of a call, where it is captured. A failure is for the tab that is about it to show. */
export function useCapture({ account_sid, sip_callid }: Call) {
  const isCaptured = useCapabilities()?.captures === true
  return useQuery({
    ...query(captures.sipOfAccount, {
      params: { account_sid: account_sid ?? '', call_id: sip_callid ?? '' },
    }),
    enabled: isCaptured && account_sid !== null && sip_callid !== null,
    // the capture of a call that is over does not change
    staleTime: 60_000,
    meta: { background: true },
  })
}
