import module from 'node:module'

const [major] = process.versions.node.split('.').map(Number)
if (!major || major < 24) {
  console.error(
    `Switchroom needs Node 24 or later; this is ${process.version}. Run "npm ci", which installs it, then "npm start".`,
  )
  process.exit(2)
}

// Node compiles at every start; the cache makes the next one faster. This file has no types: Node would load what
// strips them for this file alone.
module.enableCompileCache()
await import('./start.ts')
// otherwise Node writes the cache only at a clean exit
setTimeout(() => module.flushCompileCache(), 2_000).unref()
