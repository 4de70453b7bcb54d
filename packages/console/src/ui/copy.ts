import { toastBad, toastOk } from './toast'

/** Copies text; false without HTTPS, or if the browser refuses. */
export async function copyQuietly(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Copies text with a toast. `name` stands for the text if it is a secret. */
export async function copyAndSay(text: string, name = text) {
  if (await copyQuietly(text)) toastOk(`${name} copied to clipboard`)
  else sayNotCopied(name)
}

export const sayNotCopied = (name: string) =>
  toastBad(`Unable to copy ${name}, please select the text and right click to copy`)
