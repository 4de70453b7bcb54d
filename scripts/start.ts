import { build } from './build.ts'

// The server must not outlive npm. npm forwards SIGINT and SIGTERM, but not SIGHUP, and it may be killed: then this
// process gets another parent. ("exec" in package.json makes npm the parent, with no shell in between.)
const parent = process.ppid
if (process.env.npm_lifecycle_event === 'start') {
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}

await import(await build())
