import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type TestApp, testApp } from '../app.ts'
import { ask, createWorld, endpoints, type World } from './lines.ts'

const files = endpoints.filter(
  ({ e, line }) =>
    // who has no link gets no file
    line.reach !== 'public' &&
    e.file &&
    e.query instanceof z.ZodObject &&
    'columns' in e.query.shape,
)

let t: TestApp
let w: World
beforeAll(async () => {
  t = await testApp()
  w = await createWorld(t, 'a1')
})
afterAll(() => t.close())

async function fileOf({ e, line }: (typeof files)[number], columns?: string) {
  const query = () => ({ ...line.query?.(w), ...(columns !== undefined && { columns }) })
  const { status, body } = await ask(t, 'admin', e, { ...line, query }, w)
  return { status, body, lines: body.replace(/\r\n$/, '').split('\r\n') }
}

it('is asked of every list that is exported as it is shown', () => {
  expect(files.map(({ title }) => title).sort()).toEqual([
    'accountRecentCalls.export',
    'accounts.export',
    'applications.export',
    'audit.export',
    'clients.export',
    'customerReports.export',
    'phoneNumbers.export',
    'providerRecentCalls.export',
    'recentCalls.export',
    'users.export',
  ])
})

it.each(files)('$title has the columns that were asked for, in their order', async (file) => {
  const all = (await fileOf(file)).lines
  const names = all[0]!.split(',')
  const [first, second] = [names[0]!, names[1]!]
  const few = await fileOf(file, ` ${second},${first},${second}`)
  expect(few.status, few.body).toBe(200)
  expect(few.lines[0]).toBe(`${second},${first}`)
  expect(few.lines).toHaveLength(all.length)
  const one = await fileOf(file, first)
  expect(one.lines).toEqual(all.map((line) => line.split(',')[0]))
})

it.each(files)('$title refuses unknown columns by name', async (file) => {
  for (const columns of ['password_hash', 'name,', '__proto__']) {
    const { status, body } = await fileOf(file, columns)
    expect(status).toBe(400)
    const { msg, issues } = JSON.parse(body)
    expect(msg).toContain('Enter names of columns of the file, separated by commas')
    expect(new Set(issues.map((issue: { path: unknown[] }) => issue.path[0]))).toEqual(
      new Set(['columns']),
    )
  }
})

it('shows what lists show beside what an import takes', async () => {
  const shown = {
    'accounts.export': 'account_sid,created_at,is_active',
    'applications.export': 'application_sid',
    'clients.export': 'client_sid,sip_realm',
    'phoneNumbers.export': 'phone_number_sid',
  }
  const sids = [w.account, w.application, w.client, w.number]
  const found = []
  for (const [title, columns] of Object.entries(shown)) {
    const file = files.find((f) => f.title === title)!
    found.push(...(await fileOf(file, columns)).lines)
  }
  for (const sid of sids) expect(found.some((line) => line.startsWith(sid))).toBe(true)
})
