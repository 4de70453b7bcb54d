import { t } from '@switchroom/contract'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button'
import { rich } from '../ui/rich'
import { file } from './answers'
import { captures } from './endpoints'
import { messageOf, requestIdOf, statusOf } from './failure'
import './pcap-button.css'
import { saveFile } from './save-file'

type Owner = { account_sid: string } | { service_provider_sid: string }
type PcapRequest = { owner: Owner; call_id: string; method: 'invite' | 'register' }

/** Throws `ApiError`, with 404 where there is no capture, and `Unreachable`. */
const fetchPcap = ({ owner, ...one }: PcapRequest) =>
  file('account_sid' in owner ? captures.pcapOfAccount : captures.pcapOfServiceProvider, {
    params: { ...owner, ...one },
  })

/** Downloads a capture file, or shows why there is none. */
export function PcapButton(wanted: PcapRequest) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const isMissing = statusOf(error) === 404
  const download = async () => {
    setBusy(true)
    setError(undefined)
    try {
      saveFile(await fetchPcap(wanted), `callid-${wanted.call_id}.pcap`)
    } catch (e) {
      setError(e)
    }
    setBusy(false)
  }
  return (
    <div className="pcap">
      <Button size="small" busy={busy} onClick={() => void download()}>
        <Download aria-hidden />
        {busy ? t('Fetching pcap…') : t('Download pcap')}
      </Button>
      <p role="status">
        {error !== undefined && (isMissing ? t('No capture to download.') : messageOf(error))}
        {requestIdOf(error) && !isMissing && (
          <> {rich('Request {code}', { code: <code>{requestIdOf(error)}</code> })}</>
        )}
      </p>
    </div>
  )
}
