import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import './dialog.css'

/** A modal dialog. Escape and the close button always work. */
export function Dialog({
  open,
  onClose,
  title,
  wide = false,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  /** For tables and comparisons. */
  wide?: boolean
  children: ReactNode
}) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Popup className={wide ? 'dialog dialog-wide' : 'dialog'}>
          <header className="dialog-head">
            <Base.Title>{title}</Base.Title>
            <Base.Close className="icon-button" aria-label="Close">
              <X />
            </Base.Close>
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

export const DialogFoot = ({ children }: { children: ReactNode }) => (
  <footer className="dialog-foot">{children}</footer>
)
