import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageError } from './exit.ts'
import type { Terminal } from './terminal.ts'

/** The owner that an API key or person belongs to; neither for an administrator's. */
export type Owner = { service_provider_sid?: string | undefined; account_sid?: string | undefined }
/** Tokens of a log-in by browser. `expires_at` is in milliseconds. */
export type Tokens = { access_token: string; refresh_token: string; expires_at: number }
export type Server = Owner & { url: string } & (
    | { api_key: string; tokens?: undefined }
    | { api_key?: undefined; tokens: Tokens }
  )
type Stored = { current?: string | undefined; servers: Record<string, Server> }

type Env = Terminal['env']

export const fileIn = (env: Env) =>
  join(env.XDG_CONFIG_HOME ?? join(env.HOME ?? homedir(), '.config'), 'switchroom/servers.json')

export function readServers(env: Env): Stored {
  const file = fileIn(env)
  if (!existsSync(file)) return { servers: {} }
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Stored
  } catch {
    throw new UsageError(`${file} is not valid JSON. Delete it, and log in again.`)
  }
}

/** Writes the file, which only its owner may read: it has API keys and tokens. */
export function writeServers(env: Env, stored: Stored) {
  const file = fileIn(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

/** The server that a command is for: the named one, that of the environment, or the one that was logged in to last. */
export function chosenServer(env: Env, name?: string): Server & { name?: string } {
  const { SWITCHROOM_URL: url, SWITCHROOM_API_KEY: api_key } = env
  const { current, servers } = readServers(env)
  if (!name && url && api_key) return { url, api_key }
  const chosen = name ?? env.SWITCHROOM_SERVER ?? current
  const server = chosen === undefined ? undefined : servers[chosen]
  if (server && chosen) return { ...server, name: chosen }
  throw new UsageError(
    name
      ? `There is no server "${name}". Add it: switchroom login ${name} --url https://…`
      : 'Log in first: switchroom login --url https://…',
  )
}

/** URL of a server's console, also from the URL of its API. */
export const consoleOf = (url: string) => url.replace(/\/+$/, '').replace(/(?:\/api)?\/v1$/, '')
