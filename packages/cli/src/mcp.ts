import type { Command } from 'commander'
import { consoleOf } from './servers.ts'
import type { Session } from './session.ts'

/** `mcp`: the server's tools for agents, for a client that starts a program to reach them. */
export function addMcp(program: Command, session: (command: Command) => Session) {
  const command = program
    .command('mcp')
    .description('serve the server’s tools for agents over standard input and output')
    .action(async () => {
      const { bridge } = await import('./bridge.ts')
      const { server, terminal } = session(command)
      await bridge({ url: consoleOf(server.url), api_key: server.api_key }, terminal)
    })
}
