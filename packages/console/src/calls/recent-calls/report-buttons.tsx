import { type Call, t } from '@switchroom/contract'
import { Download } from 'lucide-react'
import { usePhoneFormat } from '../../lib/phone-format'
import { saveFile } from '../../lib/save-file'
import { Button, IconButton } from '../../ui/button'
import { copyText } from '../../ui/copy'
import { toastError, toastSuccess } from '../../ui/toast'
import { useConversation } from './conversation/use-conversation'
import { idOf } from './search'
import { useCapture } from './use-capture'

/** The call as a text for a colleague or a vendor, to paste or as a file. */
export function ReportButtons({ call }: { call: Call }) {
  const conversation = useConversation(call)
  const capture = useCapture(call)
  const format = usePhoneFormat([call.from, call.to].filter((n) => n !== null))
  const read = async () => {
    // few need it
    const { reportText } = await import('./report-text')
    return reportText({
      call,
      format,
      conversation: conversation.data,
      ladder: capture.data,
    })
  }
  const copy = async () => {
    if (await copyText(await read())) toastSuccess(t('Bug report copied to clipboard'))
    else toastError(t('Failed to copy the bug report'))
  }
  const save = async () =>
    saveFile(
      new Blob([await read()], { type: 'text/markdown' }),
      `call-${(idOf(call) ?? 'unknown').replace(/[^\w.-]/g, '_')}.md`,
    )
  // a report must not lack what is only late
  const isLoading = conversation.isAwaited || capture.isLoading
  return (
    <span className="call-report">
      <Button size="small" look="quiet" busy={isLoading} onClick={() => void copy()}>
        {t('Copy as bug report')}
      </Button>
      <IconButton
        label={t('Download the bug report')}
        disabled={isLoading}
        onClick={() => void save()}
      >
        <Download />
      </IconButton>
    </span>
  )
}
