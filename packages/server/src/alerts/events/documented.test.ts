import { readFileSync } from 'node:fs'
import { EVENT_KINDS, EVENT_TYPES } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { openapi } from '../../http/openapi.ts'

const guide = readFileSync(
  new URL('../../../../../docs/guides/programs.md', import.meta.url),
  'utf8',
)

it.each(EVENT_TYPES)('the guide has %s as the contract says it', (type) => {
  expect(guide).toContain(`\n| \`${type}\` | ${EVENT_KINDS[type].when} |\n`)
})

it('the description of the API has each under webhooks, and the test', () => {
  const { webhooks } = openapi({ version: '1', hosted: false })
  expect(Object.keys(webhooks)).toEqual([...EVENT_TYPES, 'event.test'])
  for (const [type, { post }] of Object.entries(webhooks)) {
    const { schema } = post.requestBody.content['application/json']!
    expect(schema.properties!.type).toMatchObject({ const: type })
    expect(post.parameters.map(({ name }) => name)).toEqual([
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    ])
  }
})
