import {
  ApiError,
  Unreachable as ClientUnreachable,
  connect,
  InUse,
  type Switchroom,
} from '@switchroom/client'
import { Outdated, Refused } from '@switchroom/config/apply-refusals'
import type { YieldIfDue } from '@switchroom/config/yield-if-due'
import { fromServer } from '@switchroom/contract'
import { apiBase } from '../../lib/config'
import { messageOf } from '../../lib/failure'
import { UNREACHABLE } from '../../lib/session'
import { requestRaw, Unreachable } from '../../lib/transport'

// Configuration as code with all that it needs: every schema, the client and a parser. Loaded as somebody asks for it.

export { apply } from '@switchroom/config/apply'
export { EXCUSES } from '@switchroom/config/excuses'
export { asOneFile, exported } from '@switchroom/config/export'
export {
  isConfig,
  parsedFiles,
  readVariables,
  replaceVariables,
} from '@switchroom/config/files'
export { KINDS } from '@switchroom/config/kinds'
export { meaningsOf } from '@switchroom/config/meaning'
export { planned } from '@switchroom/config/plan'
export { ConfigError } from '@switchroom/config/problem'
export { schemaOf } from '@switchroom/config/schema'
export { SECRET, WRITTEN } from '@switchroom/config/shown-fields'
export { collectVariables } from '@switchroom/config/values'

const BASE = new URL(apiBase).href

/** The client, which asks as the signed-in user: a session that has ended leads to the log-in page, as everywhere. */
export const client: Switchroom = connect({ url: BASE, fetch: sessionFetch })

function sessionFetch(input: Parameters<typeof fetch>[0], init: RequestInit = {}) {
  const url = String(input)
  // the server's description, which is beside the API
  if (!url.startsWith(BASE)) return fetch(url, init)
  return requestRaw(
    init.method ?? 'GET',
    url.slice(BASE.length),
    init.body as string | undefined,
    init.headers as Record<string, string>,
    init.signal ?? undefined,
  )
}

const TURN_MS = 12
let began = 0
/** Ends a task that has taken long enough. */
export const yieldIfDue: YieldIfDue = () => {
  if (performance.now() - began < TURN_MS) return undefined
  return new Promise((resolve) => {
    setTimeout(() => {
      began = performance.now()
      resolve()
    })
  })
}

/** The account of this name; undefined if the provider has none. */
export async function accountCalled(name: string, service_provider_sid: string) {
  const { data } = await client.accounts.ofServiceProvider({
    params: { service_provider_sid },
    query: { name, page_size: 500 },
  })
  return data.find((account) => account.name === name)?.account_sid
}

/** Why something failed, as people read it. */
export function reasonOf(error: unknown): string {
  if (error instanceof Outdated) return error.message
  if (error instanceof Refused) return [error.message, ...usesOf(error.cause)].join(' ')
  if (error instanceof ClientUnreachable || error instanceof Unreachable) return UNREACHABLE
  if (!(error instanceof ApiError)) return messageOf(error)
  const issues = error.issues.map(({ message }) => fromServer(message))
  return [...new Set(issues)].join('. ') || fromServer(error.message)
}

const usesOf = (cause: unknown) =>
  cause instanceof InUse
    ? cause.usedBy.map(({ kind, items }) => {
        const names = items.map(({ name }) => name).join(', ')
        return `${fromServer(kind)}: ${names}.`
      })
    : []
