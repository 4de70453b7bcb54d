import { run } from '../src/program.ts'
import type { Terminal } from '../src/terminal.ts'

/** A terminal that remembers what was written. `rounds`: how often something is watched. */
export function testTerminal(
  env: Record<string, string>,
  more: Partial<Terminal> = {},
  rounds = 2,
) {
  const written = { out: '', err: '' }
  const sent: string[] = []
  const opened: string[] = []
  let left = rounds
  const terminal: Terminal = {
    out: (text) => {
      written.out += text
    },
    err: (text) => {
      written.err += text
    },
    isTerminal: false,
    columns: 100,
    env,
    isTyped: false,
    stdin: () => new Blob([]).stream(),
    secret: async () => '',
    answer: async () => '',
    browse: async (url) => opened.push(url) > 0,
    fetch: (input, init) => {
      const request = new Request(input, init)
      sent.push(`${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`)
      return fetch(request)
    },
    pause: async () => {
      left -= 1
      return left > 0
    },
    ...more,
  }
  return {
    ...{ terminal, sent, opened },
    /** Runs a command: its exit code and what it wrote. */
    async run(...words: string[]) {
      written.out = ''
      written.err = ''
      sent.length = 0
      left = rounds
      const code = await run(words, terminal)
      return { code, ...written }
    },
  }
}
