import { lazy, Suspense } from 'react'
import type { DeleteDialogProps } from './delete-dialog-body'
import type { Endpoint } from './endpoints'

const Body = lazy(async () => ({
  default: (await import('./delete-dialog-body')).DeleteDialogBody,
}))

export type { DeleteCallbacks } from './delete-dialog-body'

/** Confirms and deletes. Errors appear in the dialog, with what still uses the resource. Its code loads as it opens. */
export const DeleteDialog = <E extends Endpoint>(props: DeleteDialogProps<E>) => (
  <Suspense fallback={null}>
    {/* the props of a lazy component are those of any endpoint */}
    <Body {...(props as unknown as DeleteDialogProps<Endpoint>)} />
  </Suspense>
)
