import { readServers } from './servers.ts'
import type { Terminal } from './terminal.ts'

/** Time before its expiry at which a token is replaced. */
const EARLY_MS = 60_000

/** The server's response to a caller who is not logged in. */
const refused = (msg: string) =>
  Response.json({ msg, code: 'unauthenticated', issues: [], request_id: '' }, { status: 401 })

/** Sends requests with the tokens of a log-in by browser, which are renewed as they run out. */
export function fetchWithTokens(terminal: Terminal, name: string): typeof fetch {
  let { tokens } = readServers(terminal.env).servers[name] ?? {}
  return async (input, init) => {
    if (!tokens || tokens.expires_at < Date.now() + EARLY_MS) {
      const { renew } = await import('./browser-login.ts')
      const renewed = await renew(terminal, name, EARLY_MS)
      if (typeof renewed === 'string') return refused(renewed)
      tokens = renewed
    }
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${tokens.access_token}`)
    return terminal.fetch(input, { ...init, headers })
  }
}
