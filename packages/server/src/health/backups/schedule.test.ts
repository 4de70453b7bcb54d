import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { readConfig } from '../../config/config.ts'
import { backupsIn, makeBackup, prune } from './make.ts'
import { newName } from './names.ts'
import { beginRun, endRun, folderId, keepRun, type Run, runs } from './records.ts'
import { restoreBackup } from './restore.ts'
import { reportBackups, startBackups } from './start.ts'
import { dueAt, nextAt } from './timetable.ts'

let t: TestApp
let data: string
let to: string
beforeEach(async () => {
  t = await testApp({
    SWITCHROOM_BACKUP_PASSPHRASE: 'canary horse battery',
    SWITCHROOM_BACKUP_KEEP: '3',
  })
  data = t.ctx.config.data
  to = join(data, 'backups')
  t.ctx.config.backups.to = to
  // the tables of the test are in memory or on a server
  t.ctx.config.database ??= { kind: 'sqlite', file: ':memory:' }
  mkdirSync(join(data, 'telemetry'))
  writeFileSync(join(data, 'telemetry', 'x'), 'canary')
})
afterEach(() => t.close())

const always = () => true
const FILE = '/backups/x'
const made = { state: 'done', sentence: null, bytes: 1 } as const
const part = () => t.ctx.health.parts().find(({ part }) => part === 'backup')

it('makes a verified backup in a process of its own', async () => {
  const begun = await makeBackup(t.ctx, always)
  expect(runs(data, 9)).toMatchObject([{ state: 'running' }])
  await begun!.done
  const [run] = runs(data, 9)
  expect(run).toMatchObject({ state: 'done', sentence: null, bytes: expect.any(Number) })
  const [kept] = await backupsIn(to, folderId(data))
  expect(kept).toMatchObject({ bytes: run!.bytes, own: true })
  const source = { file: join(to, kept!.name), passphrase: 'canary horse battery' }
  await restoreBackup(source, join(data, 'restored'))
  expect(readdirSync(join(data, 'restored'))).toEqual(['telemetry'])
  expect(t.lines.join()).not.toContain('canary')
  reportBackups(t.ctx)
  expect(part()).toMatchObject({ state: 'ok' })
})

it('is made by one of two processes', async () => {
  const begun = await Promise.all([makeBackup(t.ctx, always), makeBackup(t.ctx, always)])
  expect(begun.filter(Boolean)).toHaveLength(1)
  await Promise.all(begun.map((each) => each?.done))
  expect(readdirSync(to)).toHaveLength(1)
})

it('says why it failed, and leaves nothing', async () => {
  writeFileSync(to, 'a file')
  await (await makeBackup(t.ctx, always))!.done
  expect(runs(data, 9)).toMatchObject([
    { state: 'failed', sentence: expect.stringMatching(/backups/) },
  ])
  reportBackups(t.ctx)
  expect(part()).toMatchObject({
    state: 'failing',
    sentence: expect.stringMatching(/^The last backup failed; there is none\. /),
  })
})

it('says that its folder cannot be made', async () => {
  t.ctx.config.backups.to = '/proc/nope'
  await (await makeBackup(t.ctx, always))!.done
  expect(runs(data, 9)).toMatchObject([
    { state: 'failed', sentence: '/proc/nope cannot be used: it does not exist.' },
  ])
})

it('is made soon in a folder that is new, once', () => {
  const schedule = { hours: 24 }
  const run = { began_at: 1_000, ended_at: 2_000, sentence: null, bytes: 1 }
  const at = (folder: string, state: Run['state']) => ({
    ...{ ...run, id: 1, state },
    file: `${folder}/x`,
  })
  const done = at('/old', 'done')
  const next = nextAt(schedule, done)
  const due = (runs: Run[], folder: string) => dueAt(schedule, runs, folder, 3_000)
  expect(due([done], '/old')).toBe(next)
  expect(due([done], '/new')).toBe(0)
  expect(due([], '/new')).toBe(0)
  expect(due([at('/new', 'done'), done], '/new')).toBe(next)
  expect(due([at('/new', 'failed'), done], '/new')).toBe(1_000 + 3_600_000)
  // of two processes with two folders, neither makes the other begin again
  expect(due([done, at('/new', 'done')], '/new')).toBe(next)
})

it('ends with the server, leaving nothing that looks complete', async () => {
  const scheduled = startBackups(t.ctx)
  await expect.poll(() => runs(data, 1)).toMatchObject([{ state: 'running' }])
  await scheduled.stop()
  expect(runs(data, 1)).toMatchObject([{ state: 'failed' }])
  expect(existsSync(to) ? readdirSync(to) : []).toEqual([])
  expect(readdirSync(data).filter((name) => name.startsWith('.'))).toEqual([])
})

it('is made and listed for administrators, and leaves a trace', async () => {
  const view = () => t.as('admin')(api.backups.view, {})
  expect(await view()).toMatchObject({
    ...{ scheduled: true, folder: to, schedule: { at: '03:00' }, keep: 3 },
    ...{ runs: [], files: [] },
  })
  await t.as('admin')(api.backups.make, {})
  await expect(t.as('admin')(api.backups.make, {})).rejects.toMatchObject({ status: 422 })
  await expect.poll(async () => (await view()).runs[0]!.state).toBe('done')
  const { runs: tries, files } = await view()
  expect(files).toEqual([
    { name: expect.any(String), at: expect.any(String), bytes: tries[0]!.bytes },
  ])
  const { data: entries } = await t.as('admin')(api.audit.list, {
    query: { page: 1, kind: 'backup' },
  })
  expect(entries.map((e) => [e.action, e.sid])).toEqual([
    ['create', 'system'],
    ['create', 'system'],
  ])
  t.ctx.config.backups.to = undefined
  expect(await view()).toMatchObject({ scheduled: false, folder: null })
  await expect(t.as('admin')(api.backups.make, {})).rejects.toMatchObject({
    status: 400,
    message: 'Set SWITCHROOM_BACKUP_TO to make backups.',
  })
})

describe('the records', () => {
  it('let nobody begin while another is at it, unless that was interrupted', () => {
    const id = beginRun(data, always, FILE, 1_000)!
    expect(beginRun(data, always, FILE, 50_000)).toBeUndefined()
    keepRun(data, id, 60_000)
    expect(beginRun(data, always, FILE, 110_000)).toBeUndefined()
    const next = beginRun(data, always, FILE, 200_000)!
    expect(runs(data, 9, 200_000)).toMatchObject([
      { id: next, state: 'running' },
      { id, state: 'failed', ended_at: 60_000, sentence: 'It was interrupted.' },
    ])
    endRun(data, next, made, 201_000)
    expect(beginRun(data, ([latest]) => latest?.state !== 'done', FILE, 202_000)).toBeUndefined()
  })

  it('keep one id per folder', () => {
    expect(folderId(data)).toMatch(/^[\da-f]{8}$/)
    expect(folderId(data)).toBe(folderId(data))
  })
})

describe('deleting old backups', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 0, n))
  it('keeps the newest, the verified one, and whatever is not its own', async () => {
    mkdirSync(to)
    const owner = folderId(data)
    const own = [1, 2, 3, 4, 5].map((n) => newName(day(n), owner))
    const others = [
      newName(day(1)),
      `.${newName(day(1), owner)}.partial`,
      'notes.txt',
      'switchroom.db',
    ]
    for (const name of [...own, ...others]) writeFileSync(join(to, name), 'x')
    // the clock was set back: the newest by name is not the one that was just verified
    await prune(to, owner, 3, join(to, own[0]!))
    expect(readdirSync(to).sort()).toEqual([own[0]!, own[3]!, own[4]!, ...others].sort())
    await prune(to, owner, 1, join(to, own[4]!))
    expect(readdirSync(to).sort()).toEqual([own[4]!, ...others].sort())
  })
})

describe('the next backup', () => {
  const at = (text: string) => new Date(text).getTime()
  const run = (began: string, state: Run['state'] = 'done') =>
    ({ began_at: at(began), state }) as Run
  it.each<[string, Parameters<typeof nextAt>, string]>([
    ['daily', [{ at: '03:00' }, run('2026-01-31T03:00:05')], '2026-02-01T03:00:00'],
    [
      'daily, before its time',
      [{ at: '03:00' }, run('2026-01-31T01:00:00')],
      '2026-01-31T03:00:00',
    ],
    ['by hours', [{ hours: 6 }, run('2026-01-31T03:00:00')], '2026-01-31T09:00:00'],
    [
      'after a failure',
      [{ at: '03:00' }, run('2026-01-31T03:00:05', 'failed')],
      '2026-01-31T04:00:05',
    ],
    [
      'soon after a failure',
      [{ at: '03:00' }, run('2026-01-31T02:30:00', 'failed')],
      '2026-01-31T03:00:00',
    ],
  ])('%s', (_, args, expected) => {
    expect(new Date(nextAt(...args))).toEqual(new Date(expected))
  })

  it('does not wait for a clock that was ahead', () => {
    const [now, ahead] = [at('2026-01-31T03:00:00Z'), run('2027-01-31T03:00:00Z')]
    const due = (began: Run) => dueAt({ hours: 6 }, [{ ...began, file: '/here/x' }], '/here', now)
    expect(due(ahead)).toBe(0)
    expect(due({ ...ahead, began_at: now + 59_000 })).toBe(now + 59_000 + 6 * 3_600_000)
    const id = beginRun(data, always, FILE, ahead.began_at)
    expect(beginRun(data, always, FILE, now)).toBeGreaterThan(id!)
    expect(runs(data, 2, now).map(({ state }) => state)).toEqual(['running', 'failed'])
  })
})

it('reports how old the last one is', () => {
  const hours = (n: number) => n * 3_600_000
  endRun(data, beginRun(data, always, FILE, 1)!, made, hours(1))
  reportBackups(t.ctx, hours(1) + 60_000)
  expect(part()).toMatchObject({ sentence: 'Verified; the last one is 1 minute old' })
  reportBackups(t.ctx, hours(4))
  expect(part()).toMatchObject({ state: 'ok', sentence: 'Verified; the last one is 3 hours old' })
  const onMariaDb = readConfig({
    ...{ JAMBONES_MYSQL_HOST: 'db', JAMBONES_MYSQL_USER: 'x', JAMBONES_MYSQL_DATABASE: 'x' },
    ...{ JWT_SECRET: 'x'.repeat(32), SWITCHROOM_DATA: data },
  })
  reportBackups({ config: onMariaDb, health: t.ctx.health }, hours(4))
  expect(part()).toMatchObject({
    state: 'ok',
    sentence: 'Verified, without the database; the last one is 3 hours old',
  })
  reportBackups(t.ctx, hours(60))
  expect(part()).toMatchObject({ state: 'failing' })
  const failed = { ...made, state: 'failed', sentence: 'The disk is full.' } as const
  endRun(data, beginRun(data, always, FILE, hours(25))!, failed, hours(25))
  reportBackups(t.ctx, hours(26))
  expect(part()).toMatchObject({
    state: 'degraded',
    sentence: 'The last backup failed; the last one is 25 hours old. The disk is full.',
  })
})
