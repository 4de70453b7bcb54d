import { type Call, t } from '@switchroom/contract'
import { Download } from 'lucide-react'
import { messageOf, statusOf } from '../../lib/failure'
import { usePhoneFormat } from '../../lib/phone-format'
import { saveFile } from '../../lib/save-file'
import { Button, IconButton } from '../../ui/button'
import { copyText } from '../../ui/copy'
import { toastError, toastSuccess } from '../../ui/toast'
import { idOf } from '../search'
import { useConversation } from './conversation/use-conversation'
import { useCapture } from './use-capture'
import { useContradictions } from './use-contradictions'

/** True if part of the call could not be loaded; a 404 only means that it has none. */
const isLacking = ({ error }: { error: unknown }) => error !== null && statusOf(error) !== 404

/** The call as a text for a colleague or a vendor, to paste or as a file. */
export function ReportButtons({ call }: { call: Call }) {
  const conversation = useConversation(call)
  const capture = useCapture(call)
  const contradictions = useContradictions(call)
  const format = usePhoneFormat([call.from, call.to].filter((n) => n !== null))
  const read = async () => {
    // few need it
    const { reportText } = await import('./report-text')
    return reportText({
      call,
      format,
      conversation: conversation.data,
      ladder: capture.data,
      notes: [
        ...contradictions,
        ...(isLacking(conversation) ? [t('The conversation could not be loaded.')] : []),
        ...(isLacking(capture) ? [t('The SIP of this call could not be loaded.')] : []),
      ],
    })
  }
  const copy = async (text: string) => {
    if (await copyText(text)) toastSuccess(t('Bug report copied to clipboard'))
    else toastError(t('Failed to copy the bug report'))
  }
  const save = (text: string) =>
    saveFile(
      new Blob([text], { type: 'text/markdown' }),
      `call-${(idOf(call) ?? 'unknown').replace(/[^\w.-]/g, '_')}.md`,
    )
  const give = (to: (text: string) => unknown) => {
    read()
      .then(to)
      .catch((e: unknown) => toastError(messageOf(e)))
  }
  // a report must not lack what is only late
  const isLoading = conversation.isAwaited || capture.isLoading
  return (
    <span className="call-report">
      <Button size="small" look="quiet" busy={isLoading} onClick={() => give(copy)}>
        {t('Copy as bug report')}
      </Button>
      <IconButton
        label={t('Download the bug report')}
        disabled={isLoading}
        onClick={() => give(save)}
      >
        <Download />
      </IconButton>
    </span>
  )
}
