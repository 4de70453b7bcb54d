import type { Endpoint, Sent } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { toastOk } from '../ui/toast'
import { send } from './api'
import { messageOf, statusOf, usedBy } from './failure'

/** Asks, deletes, and says so. What the server refuses is said in the dialog, with what is in the way. */
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
  /** The verb and its object: "Delete phone number". */
  confirm: string
  /** What the toast says after it. */
  done: string
  typeName?: string
  /** What is said when the server does not let this user delete it. */
  forbidden?: string
  onClose: () => void
  onDeleted?: () => unknown
}) {
  const remove = useMutation({
    mutationFn: () => send(endpoint, sent),
    onSuccess: () => {
      toastOk(done)
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
