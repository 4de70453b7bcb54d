import { Readable } from 'node:stream'
import type { Terminal } from './terminal.ts'

const COLUMNS = 80

/** The terminal that started this process. What few commands need is loaded by them. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    isTerminal: stdout.isTTY === true,
    columns: stdout.columns ?? COLUMNS,
    env,
    isTyped: stdin.isTTY === true,
    stdin: () => Readable.toWeb(stdin) as ReadableStream<Uint8Array>,
    secret: async (question) => {
      const { ask } = await import('./secret.ts')
      return ask(question)
    },
    answer: async (question) => {
      const { ask } = await import('./secret.ts')
      return ask(question, true)
    },
    browse: async (url) => {
      const { openInBrowser } = await import('./browser.ts')
      return openInBrowser(url)
    },
    fetch: (...args) => fetch(...args),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms, true)),
  }
}
