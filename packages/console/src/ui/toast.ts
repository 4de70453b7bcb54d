export type ToastTone = 'ok' | 'bad'
type Show = (text: string, tone: ToastTone) => void

let show: Show | undefined

/** A confirmation that disappears after five seconds. */
export const toastSuccess = (text: string) => show?.(text, 'ok')

/** An error that stays until dismissed. The same text is shown only once. */
export const toastError = (text: string) => show?.(text, 'bad')

/** Shows toasts from now on, until the returned function is called. Without it they are dropped. */
export function onToast(listener: Show) {
  show = listener
  return () => {
    if (show === listener) show = undefined
  }
}
