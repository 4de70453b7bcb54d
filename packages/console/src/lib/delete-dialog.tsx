import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { toastSuccess } from '../ui/toast'
import { send } from './api'
import type { Endpoint, Sent } from './endpoints'
import { messageOf, statusOf, usedBy } from './failure'

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
  onClose: () => void
  onDeleted?: () => unknown
}) {
  const remove = useMutation({
    mutationFn: () => send(endpoint, sent),
    onSuccess: () => {
      toastSuccess(done)
      onClose()
      onDeleted?.()
    },
  })
  const inTheWay = usedBy(remove.error)
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
    </ConfirmDialog>
  )
}
