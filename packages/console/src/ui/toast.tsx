import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import './toast.css'

const notModal = { 'aria-modal': undefined }
// the library hides it until the pointer is near; it can be used at any time
const notHidden = { 'aria-hidden': undefined }
const manager = Toast.createToastManager()

/** Said in passing: it leaves after five seconds. */
export const toastOk = (text: string) =>
  void manager.add({ title: text, type: 'ok', timeout: 5_000 })

/** Bad news stays until it is dismissed. The same twice is said once. */
export const toastBad = (text: string) =>
  void manager.add({ id: text, title: text, type: 'bad', timeout: 0 })

/** The live region of the whole console. */
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
      // a message, not the dialog the library takes it for
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
