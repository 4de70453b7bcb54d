import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

/** When console and server are built, in a folder with builders that only copy a source. */

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'switchroom-build-')))
  cpSync(join(import.meta.dirname, 'build.ts'), join(root, 'scripts/build.ts'), { recursive: true })
  for (const file of ['package.json', 'package-lock.json', 'packages/server/package.json'])
    write(file, '{"type":"module"}')
  write('packages/contract/src/index.ts', '1')
  write('packages/console/src/main.ts', 'one')
  write('packages/server/src/main.ts', 'one')
  const copy = (to: string) => `import { cpSync } from 'node:fs'\ncpSync('src/main.ts', ${to})`
  write('node_modules/vite/package.json', '{"type":"module"}')
  write('node_modules/vite/bin/vite.js', copy("'dist/index.html'"))
  write(
    'packages/server/bundle.ts',
    `process.chdir('packages/server')\n${copy("process.argv[2] + '/main.js'")}`,
  )
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(file: string, text: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

const CALL = `const { build } = await import('./scripts/build.ts'); console.log(await build())`

/** Builds, and returns what was built and the text of what would be started. */
function build() {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', CALL],
    { cwd: root, encoding: 'utf8' },
  )
  const built = /^Building (.*)…$/m.exec(stdout)?.[1]
  const main = stdout.trim().split('\n').at(-1)
  return { status, stderr, built, runs: status === 0 ? readFileSync(main!, 'utf8') : undefined }
}

it('builds what has changed, and nothing else', () => {
  expect(build()).toMatchObject({ built: 'the console and the server', runs: 'one' })
  expect(build()).toMatchObject({ built: undefined, runs: 'one' })
  write('packages/server/src/main.ts', 'two')
  expect(build()).toMatchObject({ built: 'the server', runs: 'two' })
  write('packages/console/src/list.ts', '')
  expect(build()).toMatchObject({ built: 'the console', runs: 'two' })
  write('packages/contract/src/index.ts', '2')
  expect(build().built).toBe('the console and the server')
  rmSync(join(root, 'packages/console/src/list.ts'))
  expect(build().built).toBe('the console')
})

it('builds nothing when a file was written with the same text, or has the same text again', () => {
  build()
  write('packages/server/src/main.ts', 'one')
  utimesSync(join(root, 'packages/console/src/main.ts'), 0, 0)
  expect(build()).toMatchObject({ built: undefined, runs: 'one' })
  write('packages/server/src/main.ts', 'two')
  build()
  write('packages/server/src/main.ts', 'one')
  expect(build()).toMatchObject({ built: undefined, runs: 'one' })
})

it('builds again what is gone', () => {
  build()
  rmSync(join(root, 'packages/console/dist'), { recursive: true })
  expect(build().built).toBe('the console')
  rmSync(join(root, 'packages/server/dist'), { recursive: true })
  expect(build()).toMatchObject({ built: 'the server', runs: 'one' })
})

it('starts nothing when a build fails, and tries again', () => {
  const good = readFileSync(join(root, 'packages/server/bundle.ts'), 'utf8')
  build()
  write('packages/server/bundle.ts', 'process.exit(3)')
  for (let tries = 0; tries < 2; tries++) {
    const { status, stderr, built } = build()
    expect([status, built]).toEqual([1, 'the server'])
    expect(stderr).toContain('Building the server failed.')
  }
  write('packages/server/bundle.ts', `${good}\n`)
  expect(build()).toMatchObject({ built: 'the server', runs: 'one' })
})

it('keeps two former builds for servers that still run, and no drafts', () => {
  for (const text of ['1', '2', '3', '4', '5']) {
    write('packages/server/src/main.ts', text)
    build()
  }
  const dist = join(root, 'packages/server/dist')
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  const mains = files.filter((file) => file.endsWith('main.js'))
  expect(mains.map((file) => readFileSync(join(dist, file), 'utf8')).sort()).toEqual([
    '3',
    '4',
    '5',
  ])
  expect(files.filter((file) => relative('', file).startsWith('.'))).toEqual(['.stamp'])
})
