import { MASK, type WebhookRequestView } from '@switchroom/contract'

/** A word of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const variableOf = (header: string) => header.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase()

/** A logged request as a command for a POSIX shell. Headers that the log masks are variables. */
export function curlText({ method, url, request_headers, request_body }: WebhookRequestView) {
  const header = ({ name, value }: { name: string; value: string }) =>
    value.includes(MASK)
      ? `  --header "${name}: $${variableOf(name)}"`
      : `  --header ${quoted(`${name}: ${value}`)}`
  return [
    // brackets of an address are no pattern
    `curl --globoff --include --request ${method} ${quoted(url)}`,
    ...request_headers.map(header),
    ...(request_body ? [`  --data-raw ${quoted(request_body.text)}`] : []),
  ].join(' \\\n')
}
