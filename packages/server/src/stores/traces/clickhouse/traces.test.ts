import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownClickHouse } from '../../../../test/clickhouse.ts'
import { type ClickHouse, clickHouse } from '../../clickhouse/client.ts'
import { prepareTables } from '../../clickhouse/prepare-tables.ts'
import type { Batch } from '../span.ts'
import { clickHouseTraces, SpanRows } from './traces.ts'

const ID = 'ab'.repeat(16)
const HOUR_NS = 3_600_000_000_000n

describe.runIf(process.env.TEST_CLICKHOUSE_URL)('traces in ClickHouse', () => {
  let db: ClickHouse
  let drop: () => Promise<void>
  beforeEach(async () => {
    const own = ownClickHouse('')
    drop = own.drop
    const { clickhouse, days } = own.settings
    const server = clickHouse(clickhouse, { isMissing: true })
    await prepareTables(server, { ...clickhouse, days })
    await server.close()
    db = clickHouse(clickhouse)
  })
  afterEach(async () => {
    await db.close()
    await drop()
  })

  const origin = { resource: [], scope: { name: 'x', version: '' } }
  const span = (spanId: string, name: string) =>
    ({
      traceId: ID,
      spanId,
      parentSpanId: '',
      name,
      kind: 'SPAN_KIND_INTERNAL',
      startTimeUnixNano: '1',
      endTimeUnixNano: '2',
      attributes: [],
    }) as unknown as Batch['spans'][number]
  const insert = async (spans: Batch['spans'], written: bigint) => {
    const rows = new SpanRows()
    rows.add({ origin, spans }, written)
    for (const { into, body } of rows.batch()) await db.insert(into, body)
  }
  const names = async () => {
    const found = await clickHouseTraces(db).find(ID)
    return found?.resourceSpans.flatMap((r) => r.scopeSpans[0]!.spans.map(({ name }) => name))
  }

  it('has a span once that came again on another day, as it came last', async () => {
    const now = BigInt(Date.now()) * 1_000_000n
    const [first, second] = ['01'.repeat(8), '02'.repeat(8)]
    await insert([span(first, 'before'), span(second, 'other')], now - 30n * HOUR_NS)
    await insert([span(first, 'after')], now)
    expect(await names()).toEqual(['other', 'after'])
    // a batch that was on its way for long
    await insert([span(first, 'before')], now - 30n * HOUR_NS)
    expect(await names()).toEqual(['other', 'after'])
  })
})
