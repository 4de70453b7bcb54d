/**
 * Shortens a webhook's URL: leaves out `https://`, and the host if it is that of the URL beside it.
 * Other text is returned as it is.
 */
export function shortUrl(text: string, beside?: string): string {
  if (!URL.canParse(text)) return text
  const { origin } = new URL(text)
  const path = text.indexOf('/', text.indexOf('//') + 2)
  if (path > 0 && beside && URL.canParse(beside) && new URL(beside).origin === origin)
    return text.slice(path)
  return text.replace(/^https:\/\//i, '')
}
