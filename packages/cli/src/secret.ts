import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Reads a line, hidden unless `isShown`. From a pipe, reads the first line. */
export async function ask(question: string, isShown = false): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return (await text(stdin)).split('\n')[0]!
  stderr.write(question)
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({
    input: stdin,
    output: isShown ? stderr : nothing,
    terminal: true,
  })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('SIGINT', () => reject(new Error('Stopped')))
    })
  } finally {
    lines.close()
    if (!isShown) stderr.write('\n')
  }
}
