import type { Command } from 'commander'
import { UsageError } from './exit.ts'
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
      const { url, api_key } = server
      // an agent gets what was made for it, not all that its person may
      if (!api_key) throw new UsageError('Agents need an API key: switchroom login <name> --key')
      await bridge({ url: consoleOf(url), api_key }, terminal)
    })
}
