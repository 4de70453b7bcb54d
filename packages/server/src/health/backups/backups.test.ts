import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { zstdCompressSync } from 'node:zlib'
import { Encrypter } from 'age-encryption'
import { pack, type Header as TarHeader } from 'tar-stream'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { canMount, smallDisk } from '../../../test/full-disk.ts'
import { commandActor } from '../../audit/command.ts'
import { deferred, seal } from '../../audit/seal.ts'
import { pendingEntries, verify } from '../../audit/verify.ts'
import { bulkOn } from '../../db/bulk.ts'
import { type Db, onSqlite, openDb } from '../../db/open.ts'
import { openSqlite } from '../../db/open-sqlite.ts'
import { prepareDatabase } from '../../db/prepare.ts'
import { transaction } from '../../db/transaction.ts'
import { STATUS } from './failure.ts'
import { FORMAT, HEADER, SUMS, Sums } from './manifest.ts'
import { newName, timeOf } from './names.ts'
import { restoreBackup } from './restore.ts'
import { type BackupJob, writeBackup } from './write.ts'

const PASSPHRASE = 'canary horse battery'
let template: Uint8Array
beforeAll(async () => {
  const memory = openSqlite(':memory:')
  const db = onSqlite(memory)
  await prepareDatabase(db)
  template = memory.serialize()
  await db.destroy()
})
let root: string
let data: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'switchroom-backup-'))
  data = join(root, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'switchroom.db'), template)
  write('jwt-secret', 'canary-secret')
})
afterEach(() => rmSync(root, { recursive: true }))

function write(name: string, content: string | Buffer) {
  const path = join(data, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
}
function database(name: string, rows = 0) {
  mkdirSync(join(data, name, '..'), { recursive: true })
  const db = openSqlite(join(data, name))
  db.exec('create table if not exists rows (id integer primary key, text text)')
  const insert = db.prepare('insert into rows (text) values (?)')
  db.exec('begin')
  for (let i = 0; i < rows; i++) insert.run(randomBytes(50).toString('hex'))
  db.exec('commit')
  return db
}
const countIn = (file: string) => {
  const db = new DatabaseSync(file)
  try {
    return Number(db.prepare('select count(*) as n from rows').get()!.n)
  } finally {
    db.close()
  }
}

const job = (more: Partial<BackupJob> = {}): BackupJob => ({
  data,
  file: join(root, 'backups', newName(new Date())),
  passphrase: PASSPHRASE,
  version: '1.2.3',
  database: 'embedded',
  recordings: false,
  secrets: [],
  // most of the time would go into keys
  work_factor: 10,
  ...more,
})
const target = () => join(root, 'restored')
const restore = (file: string, passphrase = PASSPHRASE) =>
  restoreBackup({ file, passphrase }, target())
/** What is below a folder, sorted. */
const list = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => join(e.parentPath, e.name).slice(folder.length + 1))
    .sort()
const refusal = (status: keyof typeof STATUS, message: RegExp) => ({
  name: 'BackupFailed',
  status: STATUS[status],
  message: expect.stringMatching(message),
})
/** Nothing in the folder of backups looks like one, and nothing was restored. */
const nothing = () => ({ backups: [], restored: false, beside: [] })
const left = () => ({
  backups: existsSync(join(root, 'backups')) ? readdirSync(join(root, 'backups')) : [],
  restored: existsSync(target()),
  beside: [...readdirSync(root), ...readdirSync(data)].filter((name) => name.startsWith('.')),
})

describe('a backup', () => {
  it('makes guesses at its passphrase slow', async () => {
    const { work_factor: _, ...asMade } = job()
    const { file } = await writeBackup(asMade)
    expect(readFileSync(file).subarray(0, 100).toString()).toMatch(/\n-> scrypt \S+ 16\n/)
  })

  it('restores to the same files, readable only by their owner', async () => {
    database('telemetry/2026-01-31.db', 100).close()
    database('traces/1769860800000.db', 10).close()
    database('captures/1769860800000.db', 10).close()
    write('recordings/b77e56ae-0000-4000-8000-000000000000/2026/01/31/x.mp3', 'canary-audio')
    write('empty', '')
    const { file, files, bytes, warnings } = await writeBackup(job())
    expect([files, warnings]).toEqual([6, []])
    expect(bytes).toBe(statSync(file).size)
    expect(readFileSync(file).subarray(0, 21).toString()).toBe('age-encryption.org/v1')
    for (const canary of ['canary', 'jwt-secret'])
      expect(readFileSync(file).includes(canary)).toBe(false)
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const restored = await restore(file)
    expect(restored.files).toBe(files)
    expect(restored.header).toMatchObject({ format: FORMAT, version: '1.2.3', recordings: false })
    expect(list(target())).toEqual([
      'captures/1769860800000.db',
      'empty',
      'jwt-secret',
      'switchroom.db',
      'telemetry/2026-01-31.db',
      'traces/1769860800000.db',
    ])
    expect(readFileSync(join(target(), 'jwt-secret'), 'utf8')).toBe('canary-secret')
    expect(countIn(join(target(), 'telemetry/2026-01-31.db'))).toBe(100)
    for (const name of list(target()))
      expect(statSync(join(target(), name)).mode & 0o777, name).toBe(0o600)
    for (const folder of ['', 'telemetry'])
      expect(statSync(join(target(), folder)).mode & 0o777).toBe(0o700)
    expect(left().beside).toEqual([])
  })

  it('includes recordings by choice, but no half-received file and no other backup', async () => {
    const folder = 'recordings/b77e56ae-0000-4000-8000-000000000000/2026/01/31'
    write(`${folder}/one.mp3`, 'audio')
    write(`${folder}/two.mp3.part`, 'half')
    write(newName(new Date()), 'another backup')
    const { file } = await writeBackup(job({ recordings: true }))
    await restore(file)
    expect(list(target())).toEqual(['jwt-secret', `${folder}/one.mp3`, 'switchroom.db'])
  })

  it('has every row that was acknowledged before it began, while rows are written', async () => {
    database('telemetry/2026-01-31.db', 20_000).close()
    const files = ['switchroom.db', 'telemetry/2026-01-31.db'].map((name) => join(data, name))
    for (const file of files) {
      const db = openSqlite(file)
      db.exec('create table if not exists rows (id integer primary key, text text)')
      db.close()
    }
    const shared = new SharedArrayBuffer(12)
    const counts = new Int32Array(shared)
    const busy = new Worker(
      `const { workerData } = require('node:worker_threads')
       const { DatabaseSync } = require('node:sqlite')
       const dbs = workerData.files.map((file) => new DatabaseSync(file))
       for (const db of dbs) db.exec('pragma busy_timeout = 5000; pragma journal_mode = wal')
       const statements = dbs.map((db) => db.prepare('insert into rows (text) values (?)'))
       const counts = new Int32Array(workerData.shared)
       while (Atomics.load(counts, 2) === 0)
         for (const [i, statement] of statements.entries()) {
           statement.run('x'.repeat(500))
           Atomics.add(counts, i, 1)
         }
       for (const db of dbs) db.close()`,
      { eval: true, workerData: { files, shared } },
    )
    await expect.poll(() => Atomics.load(counts, 1)).toBeGreaterThan(50)
    const before = [0, 1].map((i) => Atomics.load(counts, i))
    const { file } = await writeBackup(job())
    const after = [0, 1].map((i) => Atomics.load(counts, i))
    Atomics.store(counts, 2, 1)
    await once(busy, 'exit')
    expect(after[0]).toBeGreaterThan(before[0]!)
    await restore(file)
    const copied = ['switchroom.db', 'telemetry/2026-01-31.db'].map((name) =>
      countIn(join(target(), name)),
    )
    expect(copied[0]).toBeGreaterThanOrEqual(before[0]!)
    expect(copied[1]).toBeGreaterThanOrEqual(before[1]! + 20_000)
  })

  it('takes a file as long as it was when it grows', async () => {
    write('log', 'x'.repeat(3_000_000))
    const growing = setInterval(() => appendFileSync(join(data, 'log'), 'y'.repeat(10_000)), 1)
    const { file } = await writeBackup(job()).finally(() => clearInterval(growing))
    await restore(file)
    expect(readFileSync(join(target(), 'log'), 'utf8')).toMatch(/^x{3000000}y*$/)
  })

  it('names damaged call data, and has it as it is', async () => {
    database('telemetry/2026-01-30.db', 5_000).close()
    const file = join(data, 'telemetry/2026-01-30.db')
    const bytes = readFileSync(file)
    bytes.fill(0xff, 8_192, 20_000)
    writeFileSync(file, bytes)
    write('telemetry/2026-01-31.db', 'no database')
    const written = await writeBackup(job())
    expect(written.warnings).toEqual([
      'data/telemetry/2026-01-30.db is damaged.',
      'data/telemetry/2026-01-31.db is damaged.',
    ])
    const { warnings } = await restore(written.file)
    expect(warnings).toHaveLength(2)
    expect(readFileSync(join(target(), 'telemetry/2026-01-31.db'), 'utf8')).toBe('no database')
  })

  it('is not made of a damaged database', async () => {
    const file = join(data, 'switchroom.db')
    const bytes = readFileSync(file)
    bytes.fill(0xff, 40_960, 200_000)
    writeFileSync(file, bytes)
    await expect(writeBackup(job())).rejects.toMatchObject(
      refusal('failed', /switchroom\.db is damaged/),
    )
    expect(left()).toEqual(nothing())
  })

  it('is not made without the database that it should have', async () => {
    rmSync(join(data, 'switchroom.db'))
    await expect(writeBackup(job())).rejects.toMatchObject(
      refusal('refused', /no database file .*switchroom\.db.*server's own variables/),
    )
    expect(left()).toEqual(nothing())
    const { files } = await writeBackup(job({ database: 'mysql' }))
    expect(files).toBe(1)
  })

  it('is not made of a broken audit log', async () => {
    const db = openSqlite(join(data, 'switchroom.db'))
    db.exec("update switchroom_audit_head set seq = 3, hash = 'x'")
    db.close()
    await expect(writeBackup(job())).rejects.toMatchObject(
      refusal('failed', /audit log in data\/switchroom\.db is broken at entry 1/),
    )
    expect(left()).toEqual(nothing())
  })

  it('never replaces a file, and needs a long passphrase', async () => {
    const one = job()
    await writeBackup(one)
    const before = readFileSync(one.file)
    await expect(writeBackup(one)).rejects.toMatchObject(refusal('refused', /exists already/))
    expect(readFileSync(one.file).equals(before)).toBe(true)
    await expect(writeBackup(job({ passphrase: 'eleven char' }))).rejects.toMatchObject(
      refusal('refused', /at least 12 characters/),
    )
  })

  it('never replaces a file that came while it was written', async () => {
    const one = job()
    const writing = writeBackup(one)
    const isWriting = () => left().backups.some((name) => name !== basename(one.file))
    await expect.poll(isWriting, { interval: 1 }).toBe(true)
    writeFileSync(one.file, 'of another process')
    await expect(writing).rejects.toMatchObject(refusal('refused', /exists already/))
    expect(readFileSync(one.file, 'utf8')).toBe('of another process')
    expect(left()).toEqual({ ...nothing(), backups: [basename(one.file)] })
  })

  it.each([
    ['it begins', /^\.backup-\w+$/],
    ['it copies a database', /\/copy$/],
    ['it reads the archive back', /\/check\.db$/],
  ])('leaves nothing when cancelled as %s', async (_, name) => {
    database('telemetry/2026-01-31.db', 40_000).close()
    const stop = new AbortController()
    const watching = watch(data, { recursive: true }, (_, file) => {
      if (file && name.test(file)) stop.abort()
    })
    const writing = writeBackup(job(), stop.signal)
    await expect(writing.finally(() => watching.close())).rejects.toMatchObject({
      name: 'BackupFailed',
    })
    expect(left()).toEqual(nothing())
  })
})

describe('a restore', () => {
  it.runIf(canMount)('onto a full disk says so, wherever it fills up', async () => {
    write('telemetry/2026-01-30.db', template as Buffer)
    write('telemetry/other', randomBytes(300_000))
    const { file } = await writeBackup(job())
    const disk = smallDisk(16_000_000)!
    try {
      const into = join(disk.folder, 'restored')
      const inBackup = ['switchroom.db', 'telemetry/2026-01-30.db', 'telemetry/other']
      const needed = inBackup.reduce((sum, name) => sum + statSync(join(data, name)).size, 0)
      const left = [0, 0.1, 0.3, 0.5, 0.7, 0.9].map((share) => share * needed)
      for (const bytes of left) {
        disk.fill(Math.floor(bytes))
        await expect(
          restoreBackup({ file, passphrase: PASSPHRASE }, into),
          `${bytes} bytes`,
        ).rejects.toMatchObject({
          status: STATUS.failed,
          message: expect.stringMatching(
            /^Nothing was restored into .*: the disk (is full|failed)\.$/,
          ),
        })
        expect(readdirSync(disk.folder)).toEqual(['filler'])
        disk.free()
      }
      await restoreBackup({ file, passphrase: PASSPHRASE }, into)
      expect(readdirSync(into)).toContain('switchroom.db')
    } finally {
      disk.close()
    }
  })

  let file: string
  beforeEach(async () => {
    file = (await writeBackup(job())).file
  })
  const untouched = () => {
    expect(left()).toMatchObject({ restored: false, beside: [] })
  }

  it('needs the passphrase', async () => {
    await expect(restore(file, 'another horse battery')).rejects.toMatchObject(
      refusal('passphrase', /^The passphrase is wrong/),
    )
    untouched()
  })

  it('needs an empty folder', async () => {
    mkdirSync(target())
    await restore(file)
    expect(list(target())).toHaveLength(2)
    const before = readFileSync(join(target(), 'switchroom.db'))
    await expect(restore(file)).rejects.toMatchObject(refusal('occupied', /is not empty/))
    expect(readFileSync(join(target(), 'switchroom.db')).equals(before)).toBe(true)
    await expect(
      restoreBackup({ file, passphrase: PASSPHRASE }, join(file, 'x')),
    ).rejects.toMatchObject(refusal('refused', /a part of its path is not a folder/))
    expect(left().beside).toEqual([])
  })

  it('finds a changed byte anywhere', async () => {
    const whole = readFileSync(file)
    const places = [0, 30, 60, 100, 160, 200, 230, 1_000, 8_000, whole.length - 1]
    for (const at of places) {
      const bytes = Buffer.from(whole)
      bytes[at]! ^= 1
      writeFileSync(file, bytes)
      await expect(restore(file), `byte ${at}`).rejects.toMatchObject({
        name: 'BackupFailed',
        // in the part that wraps the key it looks like another passphrase
        status: expect.toBeOneOf([STATUS.damaged, STATUS.passphrase]),
      })
      untouched()
    }
  })

  it('finds that the end is missing, or that something follows it', async () => {
    const whole = readFileSync(file)
    for (const length of [0, 10, 200, 5_000, whole.length - 1]) {
      writeFileSync(file, whole.subarray(0, length))
      await expect(restore(file), `${length} bytes`).rejects.toMatchObject(
        refusal('damaged', /damaged/),
      )
    }
    writeFileSync(file, Buffer.concat([whole, Buffer.from('x')]))
    await expect(restore(file)).rejects.toMatchObject(refusal('damaged', /damaged/))
    untouched()
  })

  it('refuses what is no backup, and what is missing', async () => {
    writeFileSync(file, randomBytes(1_000))
    await expect(restore(file)).rejects.toMatchObject(refusal('damaged', /is not a backup/))
    rmSync(file)
    await expect(restore(file)).rejects.toMatchObject(refusal('refused', /it does not exist/))
    untouched()
  })

  it('refuses the backup of a newer version', async () => {
    const header = { format: FORMAT + 1, version: '9.0.0', other: true }
    await archive(file, [{ name: HEADER, content: JSON.stringify(header) }])
    await expect(restore(file)).rejects.toMatchObject(refusal('newer', /newer version.*9\.0\.0/))
    const db = openSqlite(join(data, 'switchroom.db'))
    db.exec("insert into switchroom_migrations values ('999-future', '2030-01-01')")
    db.close()
    const newer = await writeBackup(job())
    await expect(restore(newer.file)).rejects.toMatchObject(refusal('newer', /999-future/))
    untouched()
  })

  it('brings no session back', async () => {
    const db = openSqlite(join(data, 'switchroom.db'))
    db.exec("insert into switchroom_live values ('reset-link', 'x', 9999999999999)")
    db.exec(`insert into users (user_sid, name, email, provider, is_active)
      values ('u1', 'jane', 'jane@example.org', 'local', 1)`)
    db.exec(`insert into switchroom_sessions (session_sid, user_sid, method, began_at, ip, user_agent,
      last_seen_at, last_ip, ends_at, force_change)
      values ('s1', 'u1', 'password', 1, '', '', 1, '', 9999999999999, 0)`)
    db.close()
    await restore((await writeBackup(job())).file)
    const restored = new DatabaseSync(join(target(), 'switchroom.db'))
    expect(restored.prepare('select * from switchroom_live').all()).toEqual([])
    const ended = { ended_at: expect.closeTo(Date.now(), -5) }
    for (const table of ['switchroom_sessions', 'switchroom_session_ends'])
      expect(restored.prepare(`select ended_at from ${table}`).all()).toEqual([ended])
    restored.close()
  })

  it('brings back entries that were not in the audit log yet, which are linked to it afterwards', async () => {
    const open = (folder: string) => {
      const db = openDb({ kind: 'sqlite', file: join(folder, 'switchroom.db') })
      return { db, sealAll: () => bulkOn(db)(seal) }
    }
    const defer = async (db: Db, name: string) => {
      const entries = deferred(commandActor('import'))
      const none = { account_sid: null, service_provider_sid: null, before: null, after: null }
      entries.add({ action: 'create', kind: 'webhook', sid: name, name, ...none })
      await transaction(db, (tx) => entries.store(tx))
    }
    const before = open(data)
    await defer(before.db, 'linked')
    await before.sealAll()
    await defer(before.db, 'waiting')
    const backup = await writeBackup(job())
    await before.sealAll()
    await before.db.destroy()

    await restore(backup.file)
    const restored = open(target())
    expect(await pendingEntries(restored.db)).toBe(1)
    expect(await verify(restored.db)).toMatchObject({ whole: true, entries: 1 })
    await restored.sealAll()
    expect(await pendingEntries(restored.db)).toBe(0)
    expect(await verify(restored.db)).toMatchObject({ whole: true, entries: 2 })
    await restored.db.destroy()
  })

  it('removes what a killed one left', async () => {
    const leftover = join(root, '.restored.restoring-00000000')
    mkdirSync(leftover)
    writeFileSync(join(leftover, 'switchroom.db'), 'half')
    await restore(file)
    expect(existsSync(leftover)).toBe(false)
  })
})

type Entry = Partial<TarHeader> & { name: string; content?: string }

/** An archive with any entries, as somebody with the passphrase could make one. */
async function archive(file: string, entries: Entry[]) {
  const tar = pack()
  for (const { content = '', ...header } of entries)
    tar.entry({ type: 'file', ...header }, Buffer.from(content))
  tar.finalize()
  const chunks: Uint8Array[] = []
  for await (const chunk of tar) chunks.push(chunk as Uint8Array)
  const encrypter = new Encrypter()
  encrypter.setScryptWorkFactor(10)
  encrypter.setPassphrase(PASSPHRASE)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, await encrypter.encrypt(zstdCompressSync(Buffer.concat(chunks))))
}

describe('a hostile archive', () => {
  const header = {
    name: HEADER,
    content: JSON.stringify({
      format: FORMAT,
      version: '1.2.3',
      created_at: '2026-01-31T12:00:00.000Z',
      database: 'mysql',
      recordings: false,
      secrets: [],
    }),
  }
  /** The right checksums for these entries. */
  const sumsOf = (entries: Entry[]): Entry => {
    const sums = new Sums()
    const lines = entries.map(({ name, content = '' }) =>
      sums.add(name, createHash('sha256').update(content).digest('hex')),
    )
    return { name: SUMS, content: lines.join('') }
  }
  const restoreOf = async (entries: Entry[]) => {
    const file = join(root, 'hostile.age')
    await archive(file, entries)
    return restore(file)
  }
  const good = { name: 'data/one', content: 'one' }

  it('is restored if nothing is wrong with it', async () => {
    await restoreOf([header, good, sumsOf([header, good])])
    expect(list(target())).toEqual(['one'])
  })

  it.each<[string, Entry[]]>([
    ['a name with ..', [{ name: 'data/../../outside', content: 'x' }]],
    ['a name that begins with ..', [{ name: '../outside', content: 'x' }]],
    ['an absolute name', [{ name: '/tmp/outside', content: 'x' }]],
    ['a name outside data', [{ name: 'outside', content: 'x' }]],
    ['a backslash', [{ name: 'data/..\\outside', content: 'x' }]],
    ['a hidden file', [{ name: 'data/.outside', content: 'x' }]],
    ['a NUL', [{ name: 'data/x\u0000y', content: 'x', pax: { path: 'data/x\u0000y' } }]],
    ['the data folder itself', [{ name: 'data', content: 'x' }]],
    ['a deep name', [{ name: `data${'/d'.repeat(50)}`, content: 'x' }]],
    ['a symbolic link', [{ name: 'data/link', type: 'symlink', linkname: '/etc' }]],
    ['a hard link', [{ name: 'data/link', type: 'link', linkname: '/etc/passwd' }]],
    ['a device', [{ name: 'data/dev', type: 'character-device', devmajor: 1, devminor: 3 }]],
    ['a folder', [{ name: 'data/folder', type: 'directory' }]],
    ['the same file twice', [good, { ...good, content: 'two' }]],
    [
      'a file where a folder is',
      [
        { name: 'data/a/b', content: 'x' },
        { name: 'data/a', content: 'x' },
      ],
    ],
    ['a second header', [header]],
    ['an extended header', [{ ...good, pax: { comment: 'x' } }]],
    ['a huge header', [{ ...good, pax: { comment: 'x'.repeat(10_000_000) } }]],
  ])('is refused for %s', async (_, entries) => {
    const outside = join(root, 'outside')
    await expect(
      restoreOf([header, ...entries, sumsOf([header, ...entries])]),
    ).rejects.toMatchObject(refusal('damaged', /damaged/))
    expect(existsSync(outside)).toBe(false)
    expect(left()).toMatchObject({ restored: false, beside: [] })
  })

  it.each<[string, Entry[]]>([
    ['checksums', [header, good]],
    ['the right checksums', [header, good, sumsOf([header, { ...good, content: 'two' }])]],
    ['a checksum of each file', [header, good, sumsOf([header])]],
    ['each file of the checksums', [header, sumsOf([header, good])]],
    ['an end after the checksums', [header, sumsOf([header]), good]],
    ['a header', [good, sumsOf([good])]],
    ['a small header', [{ ...header, content: header.content + ' '.repeat(100_000) }]],
    ['a valid header', [{ ...header, content: '{"format":1}' }]],
    ['a header in JSON', [{ ...header, content: 'x' }]],
  ])('is refused without %s', async (_, entries) => {
    await expect(restoreOf(entries)).rejects.toMatchObject(refusal('damaged', /damaged/))
    expect(left()).toMatchObject({ restored: false, beside: [] })
  })
})

describe('names', () => {
  it('sort by time, and are told from others', () => {
    const name = newName(new Date('2026-01-31T12:00:00Z'))
    expect(name).toMatch(/^switchroom-20260131T120000Z-[\da-f]{8}\.tar\.zst\.age$/)
    expect(timeOf(name)).toEqual(new Date('2026-01-31T12:00:00Z'))
    for (const other of [
      `.${name}.partial`,
      `${name}.old`,
      'switchroom.tar.zst.age',
      name.replace('31T12', '99T12'),
    ])
      expect(timeOf(other)).toBeUndefined()
  })
})
