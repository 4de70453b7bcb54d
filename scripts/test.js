const [major] = process.versions.node.split('.').map(Number)
if (!major || major < 24) {
  console.error(
    `The tests need Node 24 or later; this is ${process.version}. Run "npm ci", which installs it, then "npm test".`,
  )
  process.exit(2)
}
// this file has no types, so that an older Node can read it
await import('./test.ts')
