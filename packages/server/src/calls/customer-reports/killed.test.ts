import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chosen } from '../../../test/database.ts'
import { databaseOfKilled } from '../../../test/killed.ts'
import { openDb } from '../../db/open.ts'
import * as mails from './mail-queries.ts'

const RECIPIENTS = 16
/** In the middle of a month, so that no round falls into the next one, whose report is another mail. */
const NOW = Date.UTC(2026, 8, 15)
/** A SQLite file has one process. */
const PROCESSES = chosen === 'mysql' ? 2 : 1

let receiver: Server
/** Mails in the order of arrival. */
let got: { to: string; id: string }[]
let account_sid: string
beforeEach(async () => {
  got = []
  receiver = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    got.push(JSON.parse(Buffer.concat(parts).toString()))
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})
const opened = databaseOfKilled('killed_reports_test', async (db) => {
  account_sid = (
    await db.selectFrom('accounts').select('account_sid').limit(1).executeTakeFirstOrThrow()
  ).account_sid
  const recipients = Array.from({ length: RECIPIENTS }, (_, i) => `p${i}@example.com`)
  const settings = { time_zone: 'UTC', language: 'en', hides_numbers: true } as const
  await mails.update(db, account_sid, { ...settings, recipients }, NOW)
  await db.updateTable('switchroom_report_mails').set({ next_at: NOW }).execute()
})
afterEach(() => {
  receiver.close()
  receiver.closeAllConnections()
})

const at = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)))
/** Sends due mails, by a mail server that speaks HTTP. Begins after the lease of a killed process has ended. */
const script = (round: number) => `
  import { openDb } from ${at('../../db/open.ts')}
  import { memory } from ${at('../../http/memory.ts')}
  import { sendDue } from ${at('./send.ts')}
  const none = { calls: 0, answered: 0, not_answered: 0, seconds: 0, timed: 0 }
  const ctx = {
    db: openDb(${JSON.stringify(opened.config)}),
    memory: memory({ writes: new Set() }),
    config: { base_url: 'http://console.test', telemetry: { kind: 'influx' } },
    log: { debug() {}, warn() {}, error() {} },
    stores: {
      calls: {
        figures: async () => ({
          ...none, times: [], hours: [], failures: [], trunks: [], applications: [], accounts: [],
        }),
        list: async () => ({ data: [], total: 0 }),
        each: async function* () {},
      },
    },
    mail: async ({ to, id }) => {
      await fetch(${JSON.stringify(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`)}, {
        method: 'POST',
        body: JSON.stringify({ to, id }),
      })
    },
  }
  await sendDue(ctx, ${NOW + round * 700_000})
  await ctx.db.destroy()`

const send = (round: number) =>
  spawn(process.execPath, ['--input-type=module', '-e', script(round)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })

it('reaches everyone, and nobody twice without a word', { timeout: 120_000 }, async () => {
  for (const [round, most] of [1, 6, 11].entries()) {
    const children = Array.from({ length: PROCESSES }, () => send(round))
    const ended = children.map((child) => new Promise((resolve) => child.once('exit', resolve)))
    await expect.poll(() => got.length, { timeout: 60_000, interval: 1 }).toBeGreaterThan(most)
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(ended)
  }
  const last = Array.from({ length: PROCESSES }, () => send(4))
  const codes = last.map((child) => new Promise((resolve) => child.once('exit', resolve)))
  expect(await Promise.all(codes)).toEqual(last.map(() => 0))
  const db = openDb(opened.config)
  const { recipients, last_sent } = await mails.view(db, account_sid)
  await db.destroy()
  const times = Map.groupBy(got, ({ to }) => to)
  expect([...times.keys()].toSorted()).toEqual(recipients.toSorted())
  for (const { email, month, problem } of last_sent) {
    const all = times.get(email)!
    expect(month, email).toMatch(/^\d{4}-\d\d-01$/)
    // mail programs show one of the same id
    expect(new Set(all.map(({ id }) => id)).size, email).toBe(1)
    if (all.length > 1) expect(problem, email).toMatch(/may have arrived twice/)
  }
})
