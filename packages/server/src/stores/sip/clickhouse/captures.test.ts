import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ownClickHouse } from '../../../../test/clickhouse.ts'
import { type ClickHouse, clickHouse } from '../../clickhouse/client.ts'
import { type IntakeSettings, openIntake } from '../../clickhouse/open-intake.ts'
import { BatchSpool } from '../../kit/batch-spool.ts'
import type { Captured, Wanted } from '../store.ts'
import { clickHouseMessages, MessageRows } from './captures.ts'
import { clickHouseCaptureStore } from './store.ts'

const now = Date.now()
const messageOf = (call_id: string, parent: string | null, microseconds = 0): Captured => ({
  time: now * 1_000 + microseconds,
  kind: 'sip',
  source: { address: '10.0.0.1', port: 5060 },
  destination: { address: '10.0.0.2', port: 5060 },
  transport: 'UDP',
  node: 'one',
  call_id,
  parent,
  bytes: Buffer.from(
    `INVITE sip:2@pbx SIP/2.0\r\nCall-ID: ${call_id}\r\nCSeq: 1 INVITE\r\nTo: <sip:2@pbx>\r\n\r\n`,
  ),
})
const wanted: Wanted = {
  call_id: 'a',
  kind: 'call',
  from: Number.NEGATIVE_INFINITY,
  to: Number.POSITIVE_INFINITY,
}

describe.runIf(process.env.TEST_CLICKHOUSE_URL)('SIP captures in ClickHouse', () => {
  let folder: string
  let settings: IntakeSettings
  let db: ClickHouse
  let drop: () => Promise<void>
  const opened: { close: () => Promise<void> }[] = []
  const open = () => {
    const intake = openIntake('captures', settings, () => new MessageRows())
    opened.push(intake)
    return intake
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchroom-captures-'))
    ;({ settings, drop } = ownClickHouse(folder))
    db = clickHouse(settings.clickhouse, { what: 'captures' })
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const intake of opened.splice(0)) await intake.close()
    await db.close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const idsOfA = async () => {
    const { messages } = await clickHouseMessages(db).find(wanted)
    return messages.map(({ call_id }) => call_id)
  }

  it('has messages of two processes that came at the same time', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(now)
    // as two agents send the same message of a call
    await Promise.all([open().write([messageOf('a', null)]), open().write([messageOf('a', null)])])
    expect(await idsOfA()).toEqual(['a', 'a'])
  })

  it('has a message once whose batch is inserted again', async () => {
    const rows = new MessageRows()
    rows.add(messageOf('a', null), BigInt(now) * 1_000_000n)
    await open().write([messageOf('b', 'a', 1)])
    for (let i = 0; i < 2; i++)
      for (const { into, body } of rows.batch()) await db.insert(into, body)
    expect(await idsOfA()).toEqual(['a', 'b'])
    const invites = await clickHouseMessages(db).invitesSince(now - 1_000)
    expect(invites.map(({ call_id }) => call_id)).toEqual(['a'])
  })

  it('finds the legs of a call again after somebody dropped what fills their table', async () => {
    const intake = open()
    await intake.write([messageOf('a', null), messageOf('b', 'a', 1)])
    await db.command('DROP TABLE legs_of_messages')
    await db.command('DROP TABLE invites SYNC')
    // refused and kept here, and delivered once the tables are there again
    await intake.write([messageOf('c', 'b', 2), messageOf('a', null, 3)])
    await expect.poll(idsOfA).toEqual(['a', 'b', 'c', 'a'])
  })

  it('delivers what waits, although nobody listens any more', async () => {
    await open().write([messageOf('first', null)])
    await opened.pop()!.close()
    const spool = await BatchSpool.open(settings.spool.folder, 1e6)
    const rows = new MessageRows()
    rows.add(messageOf('a', null), BigInt(now) * 1_000_000n)
    await spool.add(rows.batch())
    const store = clickHouseCaptureStore({ ...settings, listen: undefined, key: undefined })
    opened.push(store)
    expect(await store.open()).toBeUndefined()
    await expect.poll(idsOfA).toEqual(['a'])
  })
})
