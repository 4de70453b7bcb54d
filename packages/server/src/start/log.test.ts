import { expect, it } from 'vitest'
import { openLog } from './log.ts'

it('keeps secrets out of the log at any depth', () => {
  const lines: string[] = []
  const log = openLog('info', { write: (line) => void lines.push(line) })
  const secrets = { password: 'canary', token: 'canary', authorization: 'canary', sql: 'canary' }
  log.info(secrets, 'beside the message')
  log.info({ user: { name: 'jane', ...secrets } }, 'in a thing')
  log.error({ err: { cause: secrets } }, 'in a cause')
  expect(lines).toHaveLength(3)
  expect(lines.join('')).toContain('jane')
  expect(lines.join('')).not.toContain('canary')
})
