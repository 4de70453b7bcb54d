import { createHash, randomBytes } from 'node:crypto'
import { BASE_PATH } from '../src/http/base-paths.ts'
import { resourceOf } from '../src/session/programs/addresses.ts'
import type { TestApp } from './app.ts'

export const BACK = 'http://localhost:6274/callback'

/** A browser that keeps cookies, and follows nothing by itself. */
export function browser({ app }: Pick<TestApp, 'app'>) {
  const jar = new Map<string, { value: string; path: string }>()
  return async (
    url: string,
    options: { method?: 'GET' | 'POST'; token?: string; body?: object } = {},
  ) => {
    const path = url.replace(/^https?:\/\/[^/]+/, '')
    const cookie = [...jar]
      .filter(([, c]) => path.startsWith(c.path))
      .map(([name, { value }]) => `${name.replace(/ .*/, '')}=${value}`)
      .join('; ')
    const answer = await app.inject({
      method: options.method ?? 'GET',
      url: path,
      ...(options.body && { payload: options.body }),
      headers: { cookie, ...(options.token && { authorization: `Bearer ${options.token}` }) },
    })
    for (const { name, value, path = '/' } of answer.cookies)
      jar.set(`${name} ${path}`, { value, path })
    return answer
  }
}

/** A program that asks for a code, and gets tokens for it. */
export function program(t: TestApp, client_id: string, redirect_uri = BACK) {
  const code_verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const resource = resourceOf(t.ctx.config, 'mcp')
  const token = (form: Record<string, string>, path = 'token') =>
    t.app.inject({
      method: 'POST',
      url: `/oauth/${path}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ client_id, ...form }).toString(),
    })
  return {
    address: (more: Record<string, string> = {}) =>
      `/oauth/authorize?${new URLSearchParams({
        client_id,
        redirect_uri,
        response_type: 'code',
        scope: 'read write',
        state: 'xyz',
        code_challenge,
        code_challenge_method: 'S256',
        resource,
        ...more,
      })}`,
    token,
    exchange: (code: string, more: Record<string, string> = {}) =>
      token({ grant_type: 'authorization_code', code, code_verifier, redirect_uri, ...more }),
    refresh: (refresh_token: string, more: Record<string, string> = {}) =>
      token({ grant_type: 'refresh_token', refresh_token, ...more }),
    revoke: (value: string) => token({ token: value }, 'revoke'),
  }
}

/** The page that asks a person for consent. */
export const pageOf = (location: unknown) =>
  /\/internal\/connect\/([\w-]+)$/.exec(String(location))?.[1]

/** A person consents in a browser. Resolves to the data that the program gets at its own address. */
export async function connect(
  t: TestApp,
  who: string,
  address: string,
  allow: 'read' | 'write' | null = 'write',
  open = browser(t),
) {
  const asked = await open(address)
  const id = pageOf(asked.headers.location)
  if (!id) throw new Error(`${asked.statusCode} ${asked.headers.location} ${asked.body}`)
  const decided = await open(`${BASE_PATH}/ProgramRequests/${id}`, {
    method: 'POST',
    token: t.bearer[who] ?? who,
    body: { allow },
  })
  if (decided.statusCode !== 200) throw new Error(decided.body)
  const back = await open(decided.json().url)
  return new URL(String(back.headers.location))
}
