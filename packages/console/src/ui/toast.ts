export type ToastTone = 'ok' | 'bad'
/** Takes back what a toast reports, and resolves to whether it did. Says itself how that went. */
export type Undo = () => Promise<boolean>
type Show = (text: string, tone: ToastTone, undo: Undo | undefined) => void

let show: Show | undefined

/** A confirmation that disappears after five seconds; with a button to undo it, after ten. */
export const toastSuccess = (text: string, undo?: Undo) => show?.(text, 'ok', undo)

/** An error that stays until dismissed. The same text is shown only once. */
export const toastError = (text: string) => show?.(text, 'bad', undefined)

/** Shows toasts from now on, until the returned function is called. Without it they are dropped. */
export function onToast(listener: Show) {
  show = listener
  return () => {
    if (show === listener) show = undefined
  }
}
