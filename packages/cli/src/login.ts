import { connect } from '@switchroom/client'
import type { Command } from 'commander'
import { UsageError } from './exit.ts'
import { ownerOf } from './owner.ts'
import { readServers, writeServers } from './servers.ts'
import type { Terminal } from './terminal.ts'

type LogIn = { url?: string; apiKey?: string }

/** Log in, log out, and which servers there are. None of them shows a key. */
export function addServerCommands(program: Command, terminal: Terminal) {
  const { env, out } = terminal

  program
    .command('login')
    .argument('[server]', 'a name for the server, if there are several')
    .description(
      'log in to a server with an API key, which is asked for, or read if it is piped in',
    )
    .option('--url <url>', 'where its console is')
    .option('--api-key <key>', 'the key; other users of this machine may see it')
    .action(async (name: string | undefined, { url, apiKey }: LogIn) => {
      const stored = readServers(env)
      const to = url ?? (name ? stored.servers[name]?.url : undefined)
      if (!to || !URL.canParse(to))
        throw new UsageError('Name the server: --url https://console.example.com')
      const api_key = (apiKey ?? (await terminal.secret('API key: '))).trim()
      if (!api_key) throw new UsageError('There is no API key')
      const server = name ?? new URL(to).host
      const owner = await ownerOf(connect({ url: to, apiKey: api_key, fetch: terminal.fetch }))
      stored.servers[server] = { url: to, api_key, ...owner }
      writeServers(env, { ...stored, current: server })
      out(`Logged in to ${server}\n`)
    })

  program
    .command('logout')
    .argument('[server]')
    .description('forget the key of a server')
    .action((name?: string) => {
      const { current, servers } = readServers(env)
      const which = name ?? current
      if (which === undefined || !servers[which])
        throw new UsageError(`You are not logged in${name ? ` to ${name}` : ''}`)
      const { [which]: _, ...rest } = servers
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
