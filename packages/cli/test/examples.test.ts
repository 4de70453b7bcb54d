import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api, type Endpoint, urlOf } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleOf, snippetsOf } from '../../server/src/http/examples.ts'
import { table } from '../src/table.ts'
import { testTerminal } from './terminal.ts'

/** The commands of the reference at `/docs` are commands, and send what it says. */

const all = Object.entries(api).flatMap(([group, members]) =>
  Object.entries(members as Record<string, Endpoint>)
    .filter(([name]) => table[group]?.[name])
    .map(([name, e], i) => ({ title: `${group}.${name}`, group, name, e, i })),
)

const folder = mkdtempSync(join(tmpdir(), 'switchroom-examples-'))
let commands: Map<string, string[]>
beforeAll(() => {
  for (const file of ['rows.csv', 'file.bin']) writeFileSync(join(folder, file), 'some bytes')
  // the shell says what the words are
  const texts = all.map(({ title, group, name, e }) => {
    const { switchroom } = snippetsOf(group, name, e)
    return switchroom.replace(/^switchroom /m, `switchroom ${title} `)
  })
  const script = `switchroom() { printf '%s\\0' "$@"; printf '\\1'; }\n${texts.join('\n')}\n`
  const out = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
  commands = new Map(
    out
      .split('\u0001')
      .slice(0, -1)
      .map((words) => {
        const [title, ...rest] = words.split('\0').slice(0, -1)
        return [title!, rest]
      }),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('is there for most endpoints', () => {
  expect(all.length).toBeGreaterThan(350)
  expect([...commands.keys()]).toEqual(all.map(({ title }) => title))
})

/** Whatever the order of its parameters. */
const inOrder = (target: string) => {
  const [path, query = ''] = decodeURIComponent(target).split('?')
  return [path, ...query.split('&').sort()]
}

describe.each(all)('the command for $title', ({ title, e }) => {
  it('sends what it shows', async () => {
    const { sent, upload } = exampleOf(e)
    const requests: { target: string; body: string }[] = []
    const env = {
      HOME: folder,
      SWITCHROOM_URL: 'http://switchroom.test',
      SWITCHROOM_API_KEY: 'key-1',
    }
    const terminal = testTerminal(env, {
      async fetch(input, init) {
        const request = new Request(input, init)
        const { pathname, searchParams } = new URL(request.url)
        const given = [...searchParams].filter(([name]) => name in (sent.query ?? {}))
        const query = given.length > 0 ? `?${new URLSearchParams(given)}` : ''
        requests.push({
          target: `${request.method} ${pathname}${query}`,
          body: await request.text(),
        })
        return Response.json({})
      },
    })
    const words = commands
      .get(title)!
      .map((word) => (word === upload?.file ? join(folder, word) : word))
    const { err } = await terminal.run(...words)
    expect(requests, err).not.toEqual([])
    const [{ target, body }] = requests as [(typeof requests)[0]]
    expect(inOrder(target)).toEqual(inOrder(`${e.method} /api/v1${urlOf(e, sent)}`))
    if (upload || sent.body === undefined) return
    // an owner in the path may be a member of the body as well
    const members = Object.keys(JSON.parse(body)).filter((name) => !(name in (sent.params ?? {})))
    expect(members).toEqual(Object.keys(sent.body as object))
  })
})
