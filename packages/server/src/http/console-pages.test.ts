import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readPages } from './console-pages.ts'

const START = "document.write('</script>$&')"
const INLINE = `<script>document.write('<\\/script>$&')</script>`
const INDEX = `<!doctype html>
<html><head><script src="/assets/start-1-x.js"></script><script src="/config.js"></script><script type="module" src="/assets/main.js"></script></head>
<body><div id="root"></div></body></html>`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-test-'))
  writeFileSync(join(folder, 'index.html'), INDEX)
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'assets/start-1-x.js'), START)
  const screens = {
    '/internal/users': ['assets/users.js', 'assets/shared.js'],
    '/internal/users/$user_sid/edit': ['assets/user.js'],
    '/create-password': ['assets/password.css', 'assets/password.js'],
  }
  const written = {
    first: 'assets/first.js',
    screens,
    later: ['assets/later.js'],
    afterLogIn: ['assets/screens.js'],
  }
  writeFileSync(join(folder, 'screens.json'), JSON.stringify(written))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The scripts that a page names, by how it names them. */
const namedIn = (page: string) =>
  [...page.matchAll(/<(?:script|link)\b([^>]*)\b(?:src|href)="([^"]+)"/g)].map(
    ([, text = '', path]) => `${/\brel="(\w+)"/.exec(text)?.[1] ?? 'script'} ${path}`,
  )

const FIRST = 'script /assets/first.js'
const MAIN = 'script /assets/main.js'
const LATER = 'later /assets/later.js'
it.each([
  [
    '/internal/users',
    [FIRST, MAIN, 'modulepreload /assets/users.js', 'modulepreload /assets/shared.js', LATER],
  ],
  ['/internal/users/1-2/edit/', [FIRST, MAIN, 'modulepreload /assets/user.js', LATER]],
  ['/internal/users/1/2/edit', [MAIN, LATER]],
  [
    '/create-password',
    [MAIN, 'stylesheet /assets/password.css', 'modulepreload /assets/password.js'],
  ],
  ['/', [MAIN, 'later /assets/screens.js']],
])('the page of %s names the scripts of its screen', async (path, scripts) => {
  const page = (await readPages(folder)).page(path, '{}')
  expect(namedIn(page)).toEqual(scripts)
})

it('a page has the configuration and the first script in place of theirs, and all else as it was', async () => {
  const configuration = '{"name":"$& and $1"}'
  const page = (await readPages(folder)).page('/forgot-password', configuration)
  const data = `<script id="config" type="application/json">${configuration}</script>`
  const expected = INDEX.split('<script src="/config.js"></script>').join(data)
  expect(page).toBe(expected.split('<script src="/assets/start-1-x.js"></script>').join(INLINE))
})

it('tells the hash of the one inline script', async () => {
  const { page, inline } = await readPages(folder)
  const [, script = ''] = /<script>(.*?)<\/script>/.exec(page('/', '{}')) ?? []
  expect(script).toContain('document.write')
  expect(inline).toBe(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
})

it('refuses a build that would show no configuration', async () => {
  writeFileSync(join(folder, 'index.html'), INDEX.replace('config.js', 'other.js'))
  await expect(readPages(folder)).rejects.toThrow('index.html lacks <script src="/config.js">')
  writeFileSync(join(folder, 'index.html'), INDEX.replace('assets/start', 'assets/other'))
  await expect(readPages(folder)).rejects.toThrow('lacks the script that runs first')
})
