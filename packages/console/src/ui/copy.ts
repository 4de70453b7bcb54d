import { t } from '@switchroom/contract'
import { toastError, toastSuccess } from './toast'

/** Copies text; false without HTTPS, or if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Copies text with a toast. `name` stands for the text if it is a secret. */
export async function copyWithToast(text: string, name = text) {
  if (await copyText(text)) toastSuccess(t('{name} copied to clipboard', { name }))
  else toastNotCopied(name)
}

export const toastNotCopied = (name: string) =>
  toastError(t('Unable to copy {name}, please select the text and right click to copy', { name }))
