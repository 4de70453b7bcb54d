import type { SipMessage } from '@switchroom/contract'
import { Button } from '../../../ui/button'
import { copyText } from '../../../ui/copy'
import { ExactTime } from '../../../ui/time'
import { toastError, toastSuccess } from '../../../ui/toast'

/** The raw message. */
export function Message({
  message: { raw, at, source, destination, transport },
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
    if (await copyText(raw)) toastSuccess('Message copied to clipboard')
    else toastError('Unable to copy the message, please select the text and right click to copy')
  }
  return (
    <section className="sip-message" aria-labelledby={labelledBy}>
      <div className="sip-message-head">
        <p>
          {names[source]} → {names[destination]} over {transport.toUpperCase()},{' '}
          <ExactTime at={new Date(at / 1_000).toISOString()} />
          <br />
          Call-ID <code>{call_id}</code>
        </p>
        <Button size="small" onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="sip-text" tabIndex={0} aria-label="Message text">
        <pre>{raw}</pre>
      </section>
    </section>
  )
}
