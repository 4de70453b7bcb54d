import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The server, restarted on change, and Vite's development server for the console, on its own port. */
const root = fileURLToPath(new URL('..', import.meta.url))
const port = process.env.HTTP_PORT ?? '3000'
const children = [
  spawn(process.execPath, ['--watch', 'packages/server/src/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { NODE_ENV: 'development', ...process.env },
  }),
  spawn(process.execPath, [`${root}node_modules/vite/bin/vite.js`], {
    cwd: `${root}packages/console`,
    stdio: 'inherit',
    env: { ...process.env, API_PORT: port },
  }),
]
const stop = () => {
  for (const child of children) child.kill()
}
for (const child of children) child.once('exit', stop)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
