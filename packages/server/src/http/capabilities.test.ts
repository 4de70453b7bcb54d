import { expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { capabilities } from './capabilities.ts'
import type { Context } from './context.ts'

const CLICKHOUSE = { SWITCHROOM_CLICKHOUSE_URL: 'http://clickhouse:8123' }

it.each([
  ['nowhere', {}, false],
  ['here', { SWITCHROOM_INGEST_HEP: '9060' }, true],
  ['in ClickHouse, where other processes may put it', CLICKHOUSE, true],
])('tells whether there may be SIP: %s', async (_, environment, expected) => {
  const ctx = {
    mail: undefined,
    config: readConfig(environment),
    log: { warn: () => undefined },
  } as unknown as Context
  expect(await capabilities(ctx)).toMatchObject({ captures: expected })
})
