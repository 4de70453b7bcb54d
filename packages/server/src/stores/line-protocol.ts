import type { Alert } from '@switchroom/contract'

const tagText = (text: string) =>
  text
    .replace(/[\r\n]/g, ' ')
    .replace(/\\+$/, '')
    .replace(/[,= ]/g, '\\$&')
const fieldText = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/** An alert of our own in line protocol, as the platform's components write theirs. */
export function lineOf(alert: Omit<Alert, 'time'>): string {
  const { message, detail, target_sid, ...tags } = alert
  const given = (parts: Record<string, string | null>) =>
    Object.entries(parts).filter((part): part is [string, string] => !!part[1])
  const series = given(tags).map(([name, value]) => `,${name}=${tagText(value)}`)
  const fields = given({ message: message ?? '-', detail, target_sid }).map(
    ([name, value]) => `${name}=${fieldText(value)}`,
  )
  return `alerts${series.join('')} ${fields.join()}`
}
