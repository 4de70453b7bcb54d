import { sipStatusText, type TrunkReport, t } from '@switchroom/contract'
import { useState } from 'react'
import { ExactTime } from '../../ui/time'
import { Capture } from '../call/sip/capture'

type Call = TrunkReport['failed_calls'][number]

const WITHOUT: Record<TrunkReport['captures'], string> = {
  read: t('The SIP of this call was not captured, or it has expired.'),
  off: t('SIP is not captured here.'),
  unavailable: t('The SIP cannot be read now. Try again later.'),
}

/** The latest failed calls of the most frequent causes, each with its SIP. */
export function FailedCalls({
  calls,
  captures,
}: {
  calls: readonly Call[]
  captures: TrunkReport['captures']
}) {
  if (calls.length === 0) return <p className="block-empty">{t('No failed calls.')}</p>
  return (
    <>
      <p className="block-empty">
        {t(
          'The latest calls of the most frequent causes. Numbers show only the country code and the last two digits.',
        )}
      </p>
      <ul className="report-calls">
        {calls.map((call, i) => (
          // calls that were attempted at the same time differ in nothing else that is known of them
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
          <li key={i}>
            <FailedCall call={call} without={WITHOUT[captures]} />
          </li>
        ))}
      </ul>
    </>
  )
}

function FailedCall({ call, without }: { call: Call; without: string }) {
  const { at, direction, sip_status, from, to, ladder } = call
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ExactTime at={at} />
        <span>
          {direction === 'inbound' ? t('From the carrier') : t('To the carrier')}
          {': '}
          <code>{from ?? 'Unknown'}</code> → <code>{to ?? 'Unknown'}</code>
        </span>
        <strong>{sip_status === null ? t('Unknown') : sipStatusText(sip_status)}</strong>
      </summary>
      {open && (ladder ? <Capture ladder={ladder} file={null} /> : <p>{without}</p>)}
    </details>
  )
}
