import { readFileSync } from 'node:fs'
import { EVENT_KINDS, EVENT_TYPES } from '@switchroom/contract'
import { expect, it } from 'vitest'

const guide = readFileSync(
  new URL('../../../../../docs/guides/programs.md', import.meta.url),
  'utf8',
)

it.each(EVENT_TYPES)('the guide has %s as the contract says it', (type) => {
  expect(guide).toContain(`\n| \`${type}\` | ${EVENT_KINDS[type].when} |\n`)
})
