import type { ThingUse, UsedKind } from '@switchroom/contract'
import { lazy, type ReactNode, Suspense } from 'react'
import type { Endpoint, Sent } from './endpoints'

export type DeleteDialogProps<E extends Endpoint> = {
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
  /** Lists what uses the resource before it is deleted; `remedy` as in `Uses`. */
  used?: { kind: UsedKind; sid: string; remedy?: (use: ThingUse) => ReactNode }
  onClose: () => void
  onDeleted?: () => unknown
}

const Body = lazy(async () => ({
  default: (await import('./delete-dialog-body')).DeleteDialogBody,
}))

/** Confirms and deletes. Errors appear in the dialog, with what still uses the resource. Its code loads as it opens. */
export const DeleteDialog = <E extends Endpoint>(props: DeleteDialogProps<E>) => (
  <Suspense fallback={null}>
    {/* the props of a lazy component are those of any endpoint */}
    <Body {...(props as unknown as DeleteDialogProps<Endpoint>)} />
  </Suspense>
)
