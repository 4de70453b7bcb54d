import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readPages } from './console-pages.ts'

const INDEX = `<!doctype html>
<html><head><script src="/config.js"></script><script type="module" src="/assets/main.js"></script></head>
<body><div id="root"></div></body></html>`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-test-'))
  writeFileSync(join(folder, 'index.html'), INDEX)
  const screens = {
    '/internal/users': ['assets/users.js', 'assets/shared.js'],
    '/internal/users/$user_sid/edit': ['assets/user.js'],
    '/create-password': ['assets/password.js'],
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
  ['/create-password', [MAIN, 'modulepreload /assets/password.js']],
  ['/', [MAIN, 'later /assets/screens.js']],
])('the page of %s names the scripts of its screen', async (path, scripts) => {
  const page = (await readPages(folder))(path, '{}')
  expect(namedIn(page)).toEqual(scripts)
})

it('a page has the configuration in place of its script, and all else as it was', async () => {
  const configuration = '{"name":"$& and $1"}'
  const page = (await readPages(folder))('/forgot-password', configuration)
  const data = `<script id="config" type="application/json">${configuration}</script>`
  expect(page).toBe(INDEX.split('<script src="/config.js"></script>').join(data))
})

it('refuses a build that would show no configuration', async () => {
  writeFileSync(join(folder, 'index.html'), INDEX.replace('config.js', 'other.js'))
  await expect(readPages(folder)).rejects.toThrow('index.html lacks')
})
