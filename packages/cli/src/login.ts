import { connect } from '@switchroom/client'
import type { Command } from 'commander'
import { UsageError } from './exit.ts'
import { ownerOf } from './owner.ts'
import { readServers, writeServers } from './servers.ts'
import type { Terminal } from './terminal.ts'

type LogIn = { url?: string; apiKey?: string; key?: boolean; readOnly?: boolean }

/** Commands to log in, log out, and list servers. None of them shows a key or token. */
export function addServerCommands(program: Command, terminal: Terminal) {
  const { env, out } = terminal

  async function keyFrom(given: string | undefined) {
    const key = (given ?? (await terminal.secret('API key: '))).trim()
    if (!key) throw new UsageError('There is no API key')
    return key
  }
  async function byBrowser(url: string, readOnly: boolean) {
    const { logInByBrowser } = await import('./browser-login.ts')
    return logInByBrowser(url, terminal, { readOnly })
  }

  program
    .command('login')
    .argument('[server]', 'a name for the server, if there are several')
    .description('log in to a server by the browser, or with an API key that is piped in')
    .option('--url <url>', 'where its console is')
    .option('--read-only', 'change nothing with this log-in')
    .option('--key', 'ask for an API key')
    .option('--api-key <key>', 'the key; other users of this machine may see it')
    .action(async (name: string | undefined, { url, apiKey, key, readOnly }: LogIn) => {
      const stored = readServers(env)
      const to = url ?? (name ? stored.servers[name]?.url : undefined)
      if (!to || !URL.canParse(to))
        throw new UsageError('Name the server: --url https://console.example.com')
      const server = name ?? new URL(to).host
      const access =
        terminal.isTyped && !key && apiKey === undefined
          ? { tokens: await byBrowser(to, readOnly ?? false) }
          : { api_key: await keyFrom(apiKey) }
      const token = access.api_key ?? access.tokens.access_token
      const owner = await ownerOf(connect({ url: to, apiKey: token, fetch: terminal.fetch }))
      stored.servers[server] = { url: to, ...access, ...owner }
      writeServers(env, { ...stored, current: server })
      out(`Logged in to ${server}\n`)
    })

  program
    .command('logout')
    .argument('[server]')
    .description('end the log-in at a server, or forget its key')
    .action(async (name?: string) => {
      const { current, servers } = readServers(env)
      const which = name ?? current
      if (which === undefined || !servers[which])
        throw new UsageError(`You are not logged in${name ? ` to ${name}` : ''}`)
      const { [which]: left, ...rest } = servers
      if (left?.tokens) {
        const { revoke } = await import('./browser-login.ts')
        if (!(await revoke(left.url, left.tokens, terminal)))
          terminal.err('The server could not be told. End the session there, under Security.\n')
      }
      writeServers(env, {
        servers: rest,
        current: which === current ? Object.keys(rest)[0] : current,
      })
      out(`Logged out of ${which}\n`)
    })

  program
    .command('use')
    .argument('<server>')
    .description('choose the server that commands are for')
    .action((name: string) => {
      const stored = readServers(env)
      if (!stored.servers[name])
        throw new UsageError(`There is no server "${name}". Log in to it first.`)
      writeServers(env, { ...stored, current: name })
      out(`Using ${name}\n`)
    })

  program
    .command('servers')
    .description('list the servers that you are logged in to')
    .action(() => {
      const { current, servers } = readServers(env)
      for (const [name, { url }] of Object.entries(servers))
        out(`${name === current ? '*' : ' '} ${name}  ${url}\n`)
    })
}
