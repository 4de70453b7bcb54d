import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../server/test/app.ts'
import { httpApplication } from '../../server/test/stand-ins/voice-applications.ts'
import { EXIT } from '../src/exit.ts'
import { testTerminal } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchroom-test-'))
const home = process.cwd()

let t: TestApp
let app: Awaited<ReturnType<typeof httpApplication>>
let url: string
let greeting: string
beforeAll(async () => {
  t = await testApp({ SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' }, undefined, undefined, {
    ownApp: true,
  })
  app = await httpApplication(({ path, body }) =>
    path === '/call'
      ? [
          { verb: 'say', text: body.env_vars?.LANGUAGE === 'de' ? 'Willkommen' : greeting },
          { verb: 'gather', input: ['speech', 'digits'], actionHook: '/said' },
        ]
      : path === '/said'
        ? [{ verb: 'say', text: 'A table for two, <b>thank you</b>' }, { verb: 'hangup' }]
        : 204,
  )
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
  const hook = { url: `${app.url}/call`, method: 'POST' as const }
  await t.as('a1')(api.applications.create, {
    body: {
      name: 'Booking',
      account_sid: t.sids.a1!,
      ...{ call_hook: hook, call_status_hook: { ...hook, url: `${app.url}/status` } },
    } as never,
  })
  // it keeps what failed where it is run
  process.chdir(folder)
})
afterAll(async () => {
  process.chdir(home)
  await t.close()
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  greeting = 'Welcome to Acme'
})

const LETTERS = 'abcdefghijklmnopqrstu'
const BOMB = `[&a [x, x], ${[...LETTERS].map((one, i) => `&${one}${i} [*${i ? `${LETTERS[i - 1]}${i - 1}` : 'a'}, *${i ? `${LETTERS[i - 1]}${i - 1}` : 'a'}]`).join(', ')}]`

const CASES = `# what guests hear
application: Booking
from: "442079460958"
to: "442079460001"
cases:
  - name: books a table
    script:
      - says: welcome to Acme # in any case
        within_ms: 5000
      - asks: speech
      - caller: a table for two
      - does_not_say: sorry
      - says: /table for (two|2)/
      - hangs_up
  - name: greets
    env: { LANGUAGE: [de, en] }
    script:
      - says: /^W(illkommen|elcome)/
      - caller: { digits: 1 }
      - caller: { kind: hang_up }
`
const write = (text: string, name = 'booking.yaml') => {
  writeFileSync(join(folder, name), text)
  return name
}
const test = (...words: string[]) =>
  testTerminal({
    ...{ HOME: folder, SWITCHROOM_URL: url, SWITCHROOM_API_KEY: t.bearer['a1-key']! },
  }).run('test', ...words)

describe('cases in a repository', () => {
  it('pass, step by step', async () => {
    const { code, out, err } = await test(write(CASES))
    expect([code, err]).toEqual([EXIT.ok, ''])
    expect(out).toContain('says “Welcome to Acme”')
    expect(out).toContain('caller: “a table for two”')
    expect(out).toContain('greets (LANGUAGE=de)')
    expect(out).toMatch(/✓ passed\n3 passed, 0 failed\n$/)
  })

  it('press keys as they are written', async () => {
    const { code, out } = await test(write(CASES.replace('digits: 1', 'digits: 007')))
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('caller: presses 007')
  })

  it('are not left waiting by a server that checks no expectations of a run', async () => {
    const sent: string[] = []
    const older: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      sent.push(`${request.method} ${new URL(request.url).pathname.split('/').at(-1)}`)
      const answer = await fetch(request)
      if (sent.at(-1) !== 'POST Runs') return answer
      return Response.json({ ...(await answer.json()), expectations: null })
    }
    const { code, err } = await testTerminal(
      { HOME: folder, SWITCHROOM_URL: url, SWITCHROOM_API_KEY: t.bearer['a1-key']! },
      { fetch: older },
    ).run('test', write(CASES))
    expect([code, err]).toEqual([
      EXIT.not_supported,
      expect.stringContaining('This server has no runs.begin with expectations.'),
    ])
    expect(sent.at(-1)).toBe('POST Stop')
  })

  it('fail with what was said instead, where it was expected, and for build servers', async () => {
    greeting = 'Welcome at Acme'
    const file = write(CASES)
    const failed = await test(file, '--junit', 'junit.xml', '--name', 'books')
    expect(failed.code).toBe(EXIT.problems)
    expect(failed.out).toContain(
      'booking.yaml:8: Says “welcome to Acme” within 5,000 ms, before answer 1: The application did not say “welcome to Acme”.\n    nearest: “Welcome at Acme”\n',
    )
    expect(failed.out).toMatch(/0 passed, 1 failed\n$/)
    expect(readFileSync('junit.xml', 'utf8')).toContain(
      '<testcase classname="booking.yaml" name="books a table"',
    )
    const json = await test(file, '--json')
    expect(JSON.parse(json.out)).toMatchObject([
      { passed: false, failures: [{ line: 8, nearest: 'Welcome at Acme' }] },
      { passed: true, failures: [] },
      { passed: true, run_sid: expect.any(String) },
    ])

    // only those again, and then none is left
    expect((await test(file, '--failed', '--update')).out).toMatch(/0 passed, 1 failed\n$/)
    expect(readFileSync(file, 'utf8')).toBe(
      CASES.replace('says: welcome to Acme #', 'says: Welcome at Acme #'),
    )
    expect((await test(file, '--failed')).out).toMatch(/1 passed, 0 failed\n$/)
    expect(await test(file, '--failed')).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('No case has failed here before'),
    })
  })

  it('are all in the results for build servers, also when the server refuses one', async () => {
    const text = CASES.replace('/^W(illkommen|elcome)/', '/(/')
    const { code, err, out } = await test(write(text), '--junit', 'refused.xml')
    const why = 'This is not a valid regular expression'
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(`booking.yaml:18: ${why}`)])
    expect(out).toMatch(/1 passed, 2 failed\n$/)
    const xml = readFileSync('refused.xml', 'utf8')
    expect(xml).toContain('tests="3" failures="2"')
    expect(xml).toContain(`name="greets (LANGUAGE=en)" time="0">\n      <failure message="${why}">`)
  })

  it('are all in them when the server is gone after the first', async () => {
    let begun = 0
    const gone: typeof fetch = async (input, init) => {
      const { method, url: of } = new Request(input, init)
      if (method === 'POST' && of.endsWith('/Runs') && ++begun > 1) throw new Error('refused')
      return fetch(input, init)
    }
    const { code, out } = await testTerminal(
      { HOME: folder, SWITCHROOM_URL: url, SWITCHROOM_API_KEY: t.bearer['a1-key']! },
      { fetch: gone },
    ).run('test', write(CASES), '--junit', 'gone.xml')
    expect(code).toBe(EXIT.unavailable)
    expect(out).toMatch(/1 passed, 2 failed\n$/)
    const xml = readFileSync('gone.xml', 'utf8')
    expect(xml).toContain('tests="3" failures="2"')
    expect(xml).toContain('Not played, since a case before it could not be')
    expect((await test('booking.yaml', '--failed')).out).toMatch(/2 passed, 0 failed\n$/)
  })

  it('do not have secrets of the matrix in their names', async () => {
    const env =
      'env: { API_TOKEN: [CANARY1, CANARY2], HOST: [de, "https://me:CANARY@a.example"], LANGUAGE: [de] }'
    const file = write(CASES.replace('env: { LANGUAGE: [de, en] }', env))
    const { code, out, err } = await test(file, '--junit', 'secrets.xml')
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('greets (API_TOKEN=#2, HOST=#1)')
    expect(out + err + readFileSync('secrets.xml', 'utf8')).not.toContain('CANARY')
  })

  it.each([
    ['a list that is none', 'cases: 1', 'bad.yaml:1: cases must be a list'],
    ['an unknown member', 'cases: []\nother: 1', 'bad.yaml:2: there is no member other'],
    [
      'an unknown step',
      CASES.replace('says: /^W', 'sings: /^W'),
      'bad.yaml:18: it must be one of these: caller',
    ],
    ['no application', CASES.replace('application: Booking', ''), 'application is missing'],
    ['a value that is none', CASES.replace('[de, en]', '[{}]'), 'LANGUAGE must be a text'],
    [
      'two of a name',
      CASES.replace('name: greets', 'name: books a table'),
      'there are two cases “books a table”',
    ],
    [
      'a wrong key',
      CASES.replace('{ digits: 1 }', '{ digits: x }'),
      'bad.yaml:19: Enter phone keys',
    ],
    [
      'a wrong pattern',
      CASES.replace('/table for (two|2)/', '/(/'),
      'bad.yaml:13: This is not a valid regular',
    ],
    [
      'an unknown application',
      CASES.replace('Booking', 'Nothing'),
      'There is no application "Nothing"',
    ],
    ['a circle', 'a: &a [*a]', 'contains itself'],
    ['what is no YAML', 'cases:\n  - {', 'bad.yaml:'],
    ['aliases of aliases', `a: ${BOMB}`, 'Too many aliases'],
    ['what is too deep', `cases: ${'['.repeat(50_000)}`, 'Nested too deeply'],
    ['several documents', 'cases: []\n---\ncases: []', 'The file has several documents'],
    [
      'a matrix without end',
      CASES.replace('[de, en]', JSON.stringify(Array(101).fill('x'))),
      'env makes more than 100 cases',
    ],
    [
      'a huge file',
      `a: ${'x'.repeat(10_000_000)}`,
      'bad.yaml: The file is 10 MB; the limit is 8 MB',
    ],
  ])('are refused with the line of %s', async (_, text, why) => {
    const { code, err } = await test(write(text, 'bad.yaml'))
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(why)])
  })
})
