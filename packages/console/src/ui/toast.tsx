import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import './toast.css'

const notModal = { 'aria-modal': undefined }
// the library hides the close button until the pointer is near
const notHidden = { 'aria-hidden': undefined }
const manager = Toast.createToastManager()

/** A confirmation that disappears after five seconds. */
export const toastSuccess = (text: string) =>
  void manager.add({ title: text, type: 'ok', timeout: 5_000 })

/** An error that stays until dismissed. The same text is shown only once. */
export const toastError = (text: string) =>
  void manager.add({ id: text, title: text, type: 'bad', timeout: 0 })

/** The console's toasts, in a live region. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="toast"
      // the library's default is the role of a dialog
      role={toast.type === 'bad' ? 'alert' : 'status'}
      {...notModal}
      data-tone={toast.type}
      swipeDirection={['right', 'down']}
    >
      {toast.type === 'bad' ? <CircleAlert aria-hidden /> : <CircleCheck aria-hidden />}
      <p className="toast-text">{toast.title}</p>
      <Toast.Close {...notHidden} className="icon-button" aria-label="Dismiss">
        <X />
      </Toast.Close>
    </Toast.Root>
  ))
}
