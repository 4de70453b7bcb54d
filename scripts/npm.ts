import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** Runs npm in this repository. Resolves to what it printed, whether it succeeded or not. */
export async function npm(...args: string[]) {
  const child = spawn('npm', args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
    // scripts may set a format of their own
    env: { ...process.env, npm_config_loglevel: 'error' },
  })
  const [code, out, errors] = await Promise.all([
    new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve(code ?? 1))
    }),
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, out, errors }
}
