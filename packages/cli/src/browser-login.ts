import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import {
  discoverAuthorizationServerMetadata,
  exchangeAuthorization,
  refreshAuthorization,
  startAuthorization,
} from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { CLI_CLIENT_ID } from '@switchroom/contract'
import { UsageError } from './exit.ts'
import { consoleOf, fileIn, readServers, type Tokens, writeServers } from './servers.ts'
import type { Terminal } from './terminal.ts'

const clientInformation = { client_id: CLI_CLIENT_ID }

/**
 * The log-in server of a console, and the resource to request. Throws a usage error if it has no log-in by browser.
 */
async function serverOf(url: string, { fetch }: Terminal) {
  const issuer = consoleOf(url)
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch })
  if (!metadata) throw new UsageError('This server has no log-in by browser. Use an API key: --key')
  return { issuer: metadata.issuer, metadata, resource: `${metadata.issuer}/api/v1` }
}

const kept = ({ access_token, refresh_token, expires_in }: OAuthTokens, before?: Tokens) => ({
  access_token,
  refresh_token: refresh_token ?? before?.refresh_token ?? '',
  expires_at: Date.now() + (expires_in ?? 0) * 1_000,
})

/** Asks the person for consent in a browser, which redirects to a listener here (RFC 8252). */
export async function logInByBrowser(
  url: string,
  terminal: Terminal,
  { readOnly }: { readOnly: boolean },
): Promise<Tokens> {
  const { issuer, metadata, resource } = await serverOf(url, terminal)
  const state = randomBytes(16).toString('base64url')
  const listener = await listen(state, issuer)
  try {
    const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
      metadata,
      clientInformation,
      redirectUrl: listener.address,
      scope: readOnly ? 'read' : 'read write',
      state,
      resource,
    })
    terminal.err(`Log in and connect the command line at\n${authorizationUrl.href}\n`)
    await terminal.browse(authorizationUrl.href)
    const tokens = await exchangeAuthorization(issuer, {
      metadata,
      clientInformation,
      authorizationCode: await listener.code,
      codeVerifier,
      redirectUri: listener.address,
      resource,
      fetchFn: terminal.fetch,
    })
    return kept(tokens)
  } finally {
    listener.close()
  }
}

/** Receives the answer of one request on the loopback interface, whoever else connects. */
async function listen(state: string, issuer: string) {
  const { promise: code, resolve, reject } = Promise.withResolvers<string>()
  // the exchange may fail before anybody waits for it
  code.catch(() => undefined)
  const server = createServer(({ url = '/' }, response) => {
    const { pathname, searchParams: said } = new URL(url, 'http://127.0.0.1')
    const isAnswer = said.get('state') === state && said.get('iss') === issuer
    if (pathname !== '/callback' || !isAnswer) return response.writeHead(404).end()
    const found = said.get('code')
    const text = found
      ? 'You are logged in. Go back to the terminal.'
      : 'The command line was not connected.'
    response
      .writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      .end(`${text}\n`, () =>
        found ? resolve(found) : reject(new UsageError('You refused the log-in')),
      )
    return response
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    code,
    address: `http://127.0.0.1:${port}/callback`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Time that another command may take to renew, before it is taken for dead. */
const LOCK_MS = 30_000

/**
 * Renews the tokens of a server, unless another command has just done so: a refresh token works once, and using it
 * twice ends the log-in. Resolves to a sentence if that has ended.
 */
export async function renew(
  terminal: Terminal,
  name: string,
  early_ms: number,
): Promise<Tokens | string> {
  const lock = `${fileIn(terminal.env)}.lock`
  await takeLock(lock)
  try {
    const stored = readServers(terminal.env)
    const server = stored.servers[name]
    if (!server?.tokens) return `You are not logged in to ${name}`
    if (server.tokens.expires_at >= Date.now() + early_ms) return server.tokens
    const { issuer, metadata, resource } = await serverOf(server.url, terminal)
    const answer = await refreshAuthorization(issuer, {
      metadata,
      clientInformation,
      refreshToken: server.tokens.refresh_token,
      resource,
      fetchFn: terminal.fetch,
    }).catch((error: unknown) => {
      if (!isRefused(error)) throw error
      return undefined
    })
    if (!answer)
      return `Your log-in has ended. Log in again: switchroom login ${name} --url ${server.url}`
    const tokens = kept(answer, server.tokens)
    writeServers(terminal.env, {
      ...stored,
      servers: { ...stored.servers, [name]: { ...server, tokens } },
    })
    return tokens
  } finally {
    rmSync(lock, { force: true })
  }
}

const isRefused = (error: unknown) =>
  error instanceof Error && 'errorCode' in error && error.errorCode === 'invalid_grant'

async function takeLock(lock: string) {
  for (;;) {
    try {
      return closeSync(openSync(lock, 'wx', 0o600))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const { mtimeMs = 0 } = statSync(lock, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs < Date.now() - LOCK_MS) rmSync(lock, { force: true })
    else await setTimeout(50)
  }
}

/** Ends a log-in at the server. False if it could not be reached. */
export async function revoke(url: string, { refresh_token }: Tokens, terminal: Terminal) {
  try {
    const { metadata } = await serverOf(url, terminal)
    const { revocation_endpoint } = metadata as { revocation_endpoint?: string }
    const { ok } = await terminal.fetch(revocation_endpoint ?? '', {
      method: 'POST',
      body: new URLSearchParams({ token: refresh_token, ...clientInformation }),
    })
    return ok
  } catch {
    return false
  }
}
