import module from 'node:module'

const [major] = process.versions.node.split('.').map(Number)
if (!major || major < 24) {
  console.error(
    `Switchroom needs Node 24 or later; this is ${process.version}. "npm start" brings its own after "npm ci".`,
  )
  process.exit(2)
}

// The server must not outlive npm, which forwards SIGINT and SIGTERM, but neither SIGHUP nor its own sudden end:
// then we get another parent. ("exec" in package.json makes npm our parent, without a shell between.)
const parent = process.ppid
if (process.env.npm_lifecycle_event === 'start') {
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}

// the server is TypeScript that Node reads as it is: what it made of the files is kept for the next start
module.enableCompileCache()

const { buildConsole } = await import('./build.ts')
await buildConsole()
await import('../packages/server/src/main.ts')
