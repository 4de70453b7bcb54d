import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../server/test/app.ts'
import { MCP } from '../../server/test/mcp.ts'
import { buildCli } from '../build.ts'
import { EXIT } from '../src/exit.ts'
import { testTerminal } from './terminal.ts'

/** The command line as others install it, on a machine that has nothing else; and what its guide says. */

const folder = mkdtempSync(join(tmpdir(), 'switchroom-packed-'))
const home = join(folder, 'home')
const work = join(folder, 'work')
const bin = join(home, 'node_modules/.bin')
const GUIDE = join(import.meta.dirname, '../../../docs/guides/programs.md')
const guide = readFileSync(GUIDE, 'utf8')

let t: TestApp
let url: string
beforeAll(async () => {
  for (const one of [home, work]) mkdirSync(one)
  await buildCli(join(folder, 'cli'))
  const npm = (...args: string[]) =>
    execFileSync('npm', args, {
      cwd: home,
      encoding: 'utf8',
      env: { ...process.env, HOME: home },
    }).trim()
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true }))
  const packed = npm('pack', '--silent', join(folder, 'cli'))
  npm('install', '--offline', '--no-audit', '--no-fund', `./${packed}`)
  t = await testApp(MCP)
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await t.close()
  rmSync(folder, { recursive: true, force: true })
})

const env = () => ({ HOME: home, PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` })

it('does what its guide says', async () => {
  writeFileSync(join(work, 'key.txt'), `${t.bearer['a1-key']}\n`)
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script]) => script!)
  expect(blocks.length).toBeGreaterThan(6)
  const script = blocks.join('\n').replaceAll('https://console.example.com', url)
  const ran = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: work,
    env: env(),
  })
  expect(ran.stderr).toBe('')
  expect(ran.stdout).toContain('Front desk')
  expect(ran.stdout).toContain('Reception')
  // the agent’s tool finds it too
  expect(ran.stdout).toMatch(/\{\\"found\\":\[.*?\\"kind\\":\\"application\\"/)
  expect(ran.stdout).not.toContain('\x1b')
  expect(ran.stdout).not.toContain(t.bearer['a1-key'])
  expect(readFileSync(join(work, 'numbers.csv'), 'utf8')).toContain('442079460002')
  expect(readFileSync(join(work, 'numbers.jsonl'), 'utf8').trim().split('\n')).toHaveLength(1)
})

it('names commands and exit codes that exist in its guide', async () => {
  const named = [...guide.matchAll(/`switchroom ([a-z][\w -]*?)(?: [<-].*?)?`/gs)].map(
    ([, words]) => words!,
  )
  expect(named.length).toBeGreaterThan(4)
  for (const words of named) {
    const { code, err } = await testTerminal({}).run(...words.trim().split(' '), '--help')
    expect(code, `${words}: ${err}`).toBe(0)
  }
  const codes = [...guide.matchAll(/^\| (\d) \|/gm)].map(([, code]) => Number(code))
  expect(codes).toEqual(Object.values(EXIT))
})

it('completes in bash', () => {
  const typed = (...words: string[]) => `
    eval "$(switchroom completion bash)"
    COMP_WORDS=(switchroom ${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length}
    _switchroom; printf '%s\n' "\${COMPREPLY[@]}"`
  const complete = (...words: string[]) =>
    execFileSync('bash', ['--norc', '-c', typed(...words)], { encoding: 'utf8', env: env() }).trim()
  expect(complete('phone-n')).toBe('phone-numbers')
  expect(complete('numbers', 'view', '--wi')).toBe('--wide')
})

const COUNT = `
import { registerHooks } from 'node:module'
const files = []
registerHooks({ load: (url, context, next) => (files.push(url), next(url, context)) })
process.once('exit', () => process.stderr.write(JSON.stringify(files)))`

it('loads little to start: its time grows with it', () => {
  const started = (...words: string[]) => {
    const { stderr } = spawnSync(
      process.execPath,
      [
        `--import=data:text/javascript,${encodeURIComponent(COUNT)}`,
        join(bin, 'switchroom'),
        ...words,
      ],
      { encoding: 'utf8', env: { HOME: home } },
    )
    return JSON.parse(stderr) as string[]
  }
  for (const words of [['--version'], ['numbers', 'list', '--help']]) {
    const own = started(...words).filter((file) => file.startsWith('file:'))
    expect(own).toHaveLength(1)
    expect(readFileSync(new URL(own[0]!)).length).toBeLessThan(270_000)
  }
})
