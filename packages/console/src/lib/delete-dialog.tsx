import { type ThingUse, t, type UsedKind } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { toastSuccess } from '../ui/toast'
import type { Endpoint, Sent } from './endpoints'
import { messageOf, statusOf, usedBy } from './failure'
import { sendChange } from './send-change'
import { useCapabilities } from './use-capabilities'

const Uses = lazy(async () => ({ default: (await import('./uses')).Uses }))

/** Confirms and deletes. Errors appear in the dialog, with what still uses the resource. */
export function DeleteDialog<E extends Endpoint>({
  endpoint,
  sent,
  title,
  question,
  confirm,
  done,
  typeName,
  forbidden,
  used,
  onClose,
  onDeleted,
}: {
  endpoint: E
  sent: Sent<E>
  title: string
  question: ReactNode
  /** Label of the button: "Delete phone number". */
  confirm: string
  /** Text of the toast afterwards. */
  done: string
  typeName?: string
  /** Shown instead of the server's message for status 403. */
  forbidden?: string
  /** What may be used by others, which is told beforehand; `remedy` as in `Uses`. */
  used?: { kind: UsedKind; sid: string; remedy?: (use: ThingUse) => ReactNode }
  onClose: () => void
  onDeleted?: () => unknown
}) {
  const remove = useMutation({
    mutationFn: () => sendChange(endpoint, sent),
    onSuccess: ({ undo }) => {
      toastSuccess(done, undo)
      onClose()
      onDeleted?.()
    },
  })
  const inTheWay = usedBy(remove.error)
  const isOurs = !!useCapabilities()
  const message = forbidden && statusOf(remove.error) === 403 ? forbidden : messageOf(remove.error)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      confirm={confirm}
      busy={remove.isPending}
      typeName={typeName}
      usedBy={inTheWay}
      error={remove.error && !inTheWay ? message : undefined}
      onConfirm={() => remove.mutate()}
    >
      {inTheWay && remove.error ? message : question}
      {used && isOurs && !inTheWay && (
        <Suspense fallback={<p className="used-by-none">{t('Checking what uses it…')}</p>}>
          <Uses {...used} />
        </Suspense>
      )}
    </ConfirmDialog>
  )
}
