import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const from = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

it('leaves no plain text on standard output and error, and ends after an error', () => {
  const script = `
    import { openLog } from ${from('./log.ts')}
    import { logProcessEvents } from ${from('./process-events.ts')}
    logProcessEvents(openLog('info'))
    process.emitWarning('smtp://me:canary@mail.example is odd', 'OddWarning')
    console.warn('Ignoring %s', 'an option')
    console.log('connected')
    setImmediate(() => Promise.reject(new Error('GET https://a.example/x?key=canary failed')))
    setTimeout(() => process.exit(7), 60_000)`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { encoding: 'utf8', env: { PATH: process.env.PATH } },
  )
  expect([status, stderr]).toEqual([1, ''])
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  // in any order: each comes through a stream or an event of its own
  expect(lines.map(({ level, msg }) => `${level} ${msg}`).toSorted()).toEqual([
    '30 connected',
    '40 Ignoring an option',
    '40 smtp://mail.example is odd',
    '60 Switchroom ends because of an error',
  ])
  expect(lines.find(({ level }) => level === 60).err.message).toBe('GET https://a.example failed')
  expect(stdout).not.toContain('canary')
})
