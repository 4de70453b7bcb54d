import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from '../../../../test/calls.ts'
import { Calls } from './calls.ts'
import { Folder } from './folder.ts'
import { embeddedStores } from './store.ts'

/** More than are open at the same time. */
const DAYS = 45
const DAY = 86_400_000
const now = Date.now() - 60_000
const all = { from: 0, to: now + DAY }
const page = { limit: 500, offset: 0 }

describe('a store of many days', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-days-'))
  const store = embeddedStores({
    folder,
    days: 60,
    max_bytes: 1e12,
    listen: { host: '127.0.0.1', port: 0 },
  })
  let url: string
  beforeAll(async () => {
    url = `http://127.0.0.1:${await store.open()}`
    const on = Array.from({ length: DAYS }, (_, i) => `${now - i * DAY}000000`)
    const calls = on.flatMap((at, i) =>
      [0, 1].map((n) => `cdrs,account_sid=a,trunk=t${n} call_sid="c${i}-${n}" ${at}`),
    )
    const alerts = on.map((at, i) => `alerts,account_sid=a,alert_type=x message="m${i}" ${at}`)
    expect((await send({ url }, calls.join('\n'))).status).toBe(204)
    expect((await send({ url }, alerts.join('\n'), 'alerts')).status).toBe(204)
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('lists alerts of all of them, in either order', async () => {
    const { data, total } = await store.alerts.list(all, page)
    expect([data.length, total]).toEqual([DAYS, DAYS])
    const q = 'select message from alerts order by time'
    const answer = await fetch(`${url}/query?${new URLSearchParams({ q, db: 'alerts' })}`)
    const { results } = await answer.json()
    const messages = results[0].series[0].values.map(([, message]: string[]) => message)
    expect(messages).toEqual(Array.from({ length: DAYS }, (_, i) => `m${DAYS - 1 - i}`))
  })

  it('reads one on while others read all of them', async () => {
    const files = new Folder(folder, 'read')
    const calls = new Calls(files, () => 0)
    let count = 0
    for await (const batch of calls.each(all, 1)) {
      count += batch.length
      if (count % 20 === 1) expect((await calls.list(all, page)).total).toBe(2 * DAYS)
    }
    expect(count).toBe(2 * DAYS)
    files.close()
  })
})
