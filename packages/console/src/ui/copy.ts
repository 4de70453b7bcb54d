import { toastBad, toastOk } from './toast'

/** Whether it worked: a page without https has no clipboard, and a browser may refuse. */
export async function copyQuietly(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** `name` in place of the text where the text is a secret. */
export async function copyAndSay(text: string, name = text) {
  if (await copyQuietly(text)) toastOk(`${name} copied to clipboard`)
  else sayNotCopied(name)
}

export const sayNotCopied = (name: string) =>
  toastBad(`Unable to copy ${name}, please select the text and right click to copy`)
