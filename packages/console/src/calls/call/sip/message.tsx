import { type SipMessage, t } from '@switchroom/contract'
import { Button } from '../../../ui/button'
import { copyText } from '../../../ui/copy'
import { rich } from '../../../ui/rich'
import { ExactTime } from '../../../ui/time'
import { toastError, toastSuccess } from '../../../ui/toast'

/** The raw message. */
export function Message({
  message: { raw, at, source, destination, transport, reordered },
  names,
  call_id,
  labelledBy,
}: {
  message: SipMessage
  names: readonly string[]
  call_id: string
  labelledBy: string
}) {
  const copy = async () => {
    if (await copyText(raw)) toastSuccess(t('Message copied to clipboard'))
    else toastError(t('Unable to copy the message, please select the text and right click to copy'))
  }
  return (
    <section className="sip-message" aria-labelledby={labelledBy}>
      <div className="sip-message-head">
        <p>
          {rich('{from} → {to} over {transport}, {time}', {
            from: names[source],
            to: names[destination],
            transport: transport.toUpperCase(),
            time: <ExactTime at={new Date(at / 1_000).toISOString()} />,
          })}
          <br />
          Call-ID <code>{call_id}</code>
          {reordered && (
            <>
              <br />
              {t('Captured after messages below it. It is shown in the order that SIP requires.')}
            </>
          )}
        </p>
        <Button size="small" onClick={() => void copy()}>
          {t('Copy')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="sip-text" tabIndex={0} aria-label={t('Message text')}>
        <pre>{raw}</pre>
      </section>
    </section>
  )
}
