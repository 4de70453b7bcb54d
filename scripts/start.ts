import module from 'node:module'

const [major] = process.versions.node.split('.').map(Number)
if (!major || major < 24) {
  console.error(
    `Switchroom needs Node 24 or later; this is ${process.version}. Run "npm ci", which installs it, then "npm start".`,
  )
  process.exit(2)
}

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

// Node strips the types at every start; the cache makes the next one faster
module.enableCompileCache()

const { buildConsole } = await import('./build.ts')
await buildConsole()
await import('../packages/server/src/main.ts')
