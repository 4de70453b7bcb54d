import type { Capabilities } from '@switchroom/contract'
import { config } from './config'
import { isRecord } from './records'
import { UNREACHABLE } from './session'
import { fetchTransport, Unreachable } from './transport'

let request: Promise<Capabilities | undefined> | undefined

/**
 * Capabilities of our own server; undefined for any other server. Ours puts them into the page
 * configuration; with another base URL they are requested once. Throws `Unreachable`.
 */
export function capabilities(): Promise<Capabilities | undefined> {
  if (config.capabilities) return Promise.resolve(config.capabilities)
  request ??= fetchCapabilities().catch((error: unknown) => {
    request = undefined
    throw error
  })
  return request
}

const isSwitchroom = (answer: unknown): answer is Capabilities =>
  isRecord(answer) && answer.product === 'switchroom'

async function fetchCapabilities(): Promise<Capabilities | undefined> {
  const { status, json } = await fetchTransport('GET', '/Capabilities', undefined)
  // an error of a proxy says nothing about the server behind it
  if (status >= 500) throw new Unreachable(UNREACHABLE)
  const answer = status === 200 ? await json() : undefined
  return isSwitchroom(answer) ? answer : undefined
}
