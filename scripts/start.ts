import module from 'node:module'

const [major] = process.versions.node.split('.').map(Number)
if (!major || major < 24) {
  console.error(
    `Switchroom needs Node 24 or later; this is ${process.version}. "npm start" brings its own after "npm ci".`,
  )
  process.exit(2)
}
// the server is TypeScript that Node reads as it is: what it made of the files is kept for the next start
module.enableCompileCache()

const { buildConsole } = await import('./build.ts')
buildConsole()
await import('../packages/server/src/main.ts')
