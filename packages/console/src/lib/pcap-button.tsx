import { captures, urlOf } from '@switchroom/contract'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button'
import { messageOf, requestIdOf, statusOf } from './failure'
import './pcap-button.css'
import { refused } from './refused'
import { saveFile } from './save-file'
import { requestRaw } from './transport'

type Owner = { account_sid: string } | { service_provider_sid: string }
type Wanted = { owner: Owner; call_id: string; method: 'invite' | 'register' }

/** Throws `ApiError`, with 404 where there is no capture, and `Unreachable`. */
async function fetched({ owner, call_id, method }: Wanted): Promise<Blob> {
  const e = 'account_sid' in owner ? captures.pcapOfAccount : captures.pcapOfServiceProvider
  const response = await requestRaw(e.method, urlOf(e, { params: { ...owner, call_id, method } }))
  if (!response.ok) throw await refused(response)
  return response.blob()
}

/** Downloads a capture file, or shows why there is none. */
export function PcapButton(wanted: Wanted) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const isMissing = statusOf(error) === 404
  const download = async () => {
    setBusy(true)
    setError(undefined)
    try {
      saveFile(await fetched(wanted), `callid-${wanted.call_id}.pcap`)
    } catch (e) {
      setError(e)
    }
    setBusy(false)
  }
  return (
    <div className="pcap">
      <Button size="small" busy={busy} onClick={() => void download()}>
        <Download aria-hidden />
        {busy ? 'Fetching pcap…' : 'Download pcap'}
      </Button>
      <p role="status">
        {error !== undefined && (isMissing ? 'No capture to download.' : messageOf(error))}
        {requestIdOf(error) && !isMissing && (
          <>
            {' '}
            Request <code>{requestIdOf(error)}</code>
          </>
        )}
      </p>
    </div>
  )
}
