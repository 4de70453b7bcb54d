import { type ReactNode, useState } from 'react'
import { usePopups } from './late-popups'
import type { DialogProps } from './popups'
import './dialog.css'

/** A modal dialog. Escape and the close button always work. */
export function Dialog(props: DialogProps) {
  const [startsOpen] = useState(props.open)
  const popups = usePopups(props.open, props.onClose)
  return popups && <popups.Dialog {...props} startsOpen={startsOpen} />
}

export const DialogFoot = ({ children }: { children: ReactNode }) => (
  <footer className="dialog-foot">{children}</footer>
)
