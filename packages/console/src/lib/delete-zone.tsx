import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { DangerZone } from '../ui/section'
import type { DeleteCallbacks } from './delete-dialog'
import { linkTo } from './link-to'

/** The end of a form: deletes its resource after a question, then leaves for `next`. */
export function DeleteZone({
  title,
  children,
  next,
  dialog,
}: {
  /** Heading and label of the button: "Delete account". */
  title: string
  children: ReactNode
  /** Address of the page afterwards. */
  next: string
  dialog: (callbacks: DeleteCallbacks) => ReactNode
}) {
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <DangerZone title={title} onDelete={() => setIsAsking(true)}>
        {children}
      </DangerZone>
      {isAsking &&
        dialog({
          onClose: () => setIsAsking(false),
          onDeleted: () => navigate({ ...linkTo(next), ignoreBlocker: true }),
        })}
    </>
  )
}
