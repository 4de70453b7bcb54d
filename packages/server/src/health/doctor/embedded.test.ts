import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { DoctorReport } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { canMount, smallDisk } from '../../../test/full-disk.ts'
import { unpack } from '../../../test/older-data/packed.ts'
import { DAYS } from '../../../test/older-data/sample.ts'
import {
  CANARY,
  diagnose,
  type Environment,
  expectFindings,
  HOST,
  setUp,
} from '../../../test/set-up.ts'
import { secretBox } from '../../secrets/secret-box.ts'
import { beginRun, endRun } from '../backups/records.ts'
import { fileSystemFinding } from './checks/data-folder.ts'
import { inodesFinding } from './checks/disk.ts'

const { folders, close } = setUp()

/** Changes the database file as an operator would by hand. */
function change({ SWITCHROOM_DATA }: Environment, statement: string, ...values: string[]) {
  const db = new DatabaseSync(join(SWITCHROOM_DATA!, 'switchroom.db'))
  db.prepare(statement).run(...values)
  db.close()
}

/** Every file of a folder, with its content and mode. */
const contentOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { mode, mtimeMs } = statSync(join(folder, name))
      const isFile = statSync(join(folder, name)).isFile()
      return { name, mode, mtimeMs, text: isFile ? readFileSync(join(folder, name), 'hex') : '' }
    })

it('has nothing to say about a healthy set-up, and leaves it as it was', async () => {
  const environment = folders.healthy()
  const before = contentOf(environment.SWITCHROOM_DATA!)
  await expectFindings(environment, [])
  // the time of the folder itself changes when the temporary file is removed
  expect(contentOf(environment.SWITCHROOM_DATA!)).toEqual(before)
})

describe('names what is wrong with a set-up:', () => {
  it('variables that are invalid, missing or misspelt, all at once', async () => {
    await expectFindings(
      {
        ...folders.healthy(),
        JWT_EXPIRES_IN: 'canary',
        SMTP_URL: `http://user:${CANARY}@mail`,
        GOOGLE_CLIENT_ID: 'id',
        SWITCHROOM_INGST_HEP: '9060',
        JAMBONES_MESSAGING: `{"one": ${CANARY}`,
      },
      [
        ['variables', 'problem', /^JWT_EXPIRES_IN: must be a whole number/, /JWT_EXPIRES_IN/],
        ['variables', 'problem', /^SMTP_URL: /, /^Correct SMTP_URL/],
        ['variables', 'problem', /^GOOGLE_OAUTH_CLIENT_SECRET: is required/, /GOOGLE_OAUTH/],
        ['variables', 'problem', /^JAMBONES_MESSAGING: not valid JSON/, /text-messages\.md/],
        ['variables', 'warning', /SWITCHROOM_INGST_HEP/, /spelling/],
      ],
    )
  })

  it('what depends on a wrong variable is not checked, everything else is', async () => {
    const { results } = await diagnose({
      ...folders.healthy(),
      JAMBONES_MYSQL_HOST: 'db.invalid',
      SMTP_URL: 'canary',
      ENABLE_FORGOT_PASSWORD: '1',
    })
    const of = (name: string) => results.filter(({ check }) => check === name)
    expect(of('mail')).toMatchObject([
      { outcome: 'not_checked', sentence: 'Correct SMTP_URL first.' },
    ])
    expect(of('database')).toMatchObject([{ outcome: 'not_checked' }])
    expect(of('data_folder')).toMatchObject([{ outcome: 'ok' }])
  })

  it('a secret that is short, damaged or lost', async () => {
    await expectFindings({ ...folders.healthy(), JWT_SECRET: 'canary-too-short' }, [
      ['secrets', 'warning', /fewer than 32 characters/, /015-secret-lengths/],
    ])
    const damaged = folders.healthy()
    writeFileSync(join(damaged.SWITCHROOM_DATA!, 'jwt-secret'), 'canary', { mode: 0o600 })
    await expectFindings(damaged, [
      ['secrets', 'problem', /jwt-secret is damaged/, /SWITCHROOM_DATA/],
    ])
    const lost = folders.healthy()
    rmSync(join(lost.SWITCHROOM_DATA!, 'jwt-secret'))
    await expectFindings(lost, [
      ['secrets', 'problem', /no file jwt-secret.*stored credentials would be lost/, /restore/],
    ])
  })

  it('a secret that does not decrypt what is stored, or only some of it', async () => {
    const environment = folders.healthy()
    const box = secretBox({ secret: `${CANARY}-generated`, legacy: false })
    const other = secretBox({ secret: 'another', legacy: false })
    const keep = (sid: string, sealed: string) =>
      change(
        environment,
        'insert into speech_credentials (speech_credential_sid, vendor, credential) values (?, ?, ?)',
        sid,
        'google',
        sealed,
      )
    for (const sid of ['a', 'b', 'c']) keep(sid, box.seal(`{"canary":"${sid} and more text"}`))
    await expectFindings(environment, [])
    await expectFindings({ ...environment, ENCRYPTION_SECRET: `${CANARY}-wrong` }, [
      [
        'stored_secrets',
        'problem',
        /^ENCRYPTION_SECRET does not decrypt.*3 of 3 values in speech_credentials.credential/,
        /Set ENCRYPTION_SECRET to the value/,
      ],
    ])
    keep('d', other.seal('{"canary":"of another time"}'))
    await expectFindings(environment, [
      ['stored_secrets', 'warning', /^1 of 4 .* another secret/, /Enter these credentials again/],
    ])
  })

  it('networks that open too much', async () => {
    await expectFindings({ ...folders.healthy(), SWITCHROOM_ALLOW_NETWORKS: '0.0.0.0/0' }, [
      ['allowed_networks', 'warning', /metadata service.*this machine only/, /only the networks/],
    ])
    await expectFindings({ ...folders.healthy(), SWITCHROOM_ALLOW_NETWORKS: '10.0.0.0/8' }, [])
  })

  it('a data folder that is a file, is missing, or can be read by others', async () => {
    const environment = folders.healthy()
    const data = environment.SWITCHROOM_DATA!
    const without = { ...environment, SWITCHROOM_DATA: join(data, 'nothing') }
    await expectFindings(without, [
      ['data_folder', 'warning', /There is no data folder/, /where the server starts/],
    ])
    await expectFindings({ ...environment, SWITCHROOM_DATA: join(data, 'jwt-secret') }, [
      ['data_folder', 'problem', /jwt-secret is not a folder/, /set SWITCHROOM_DATA to a folder/],
    ])
    copyFileSync(join(data, 'switchroom.db'), join(data, 'copy'))
    rmSync(join(data, 'switchroom.db'))
    writeFileSync(join(data, 'switchroom.db'), readFileSync(join(data, 'copy')))
    chmodSync(join(data, 'switchroom.db'), 0o644)
    await expectFindings(environment, [
      ['data_folder', 'warning', /other users .* can read switchroom\.db/, /chmod -R go=/],
    ])
  })

  it.runIf(canMount)('a disk that is full, or nearly', async () => {
    const disk = smallDisk(140e6)!
    close.add(disk.close)
    const environment = folders.healthy(disk.folder)
    await expectFindings(environment, [])
    disk.fill(60e6)
    await expectFindings(environment, [
      ['disk', 'problem', /^Only \d+ MB .* free/, /SWITCHROOM_TELEMETRY_DAYS/],
    ])
    disk.free()
    disk.fill()
    await expectFindings(environment, [
      ['data_folder', 'problem', /the disk is full/, /neither full nor mounted read-only/],
      ['disk', 'problem', /^Only 0 MB/, /Free space/],
    ])
  })

  it('a network file system under SQLite, and a disk without inodes', () => {
    expect(fileSystemFinding(0x6969, '/srv/data')).toMatchObject({ outcome: 'problem' })
    expect(fileSystemFinding(0xef53, '/srv/data')).toBeUndefined()
    expect(inodesFinding(3, 1_000_000)).toMatchObject([{ outcome: 'problem' }])
    expect(inodesFinding(900_000, 1_000_000)).toBeUndefined()
    expect(inodesFinding(0, 0)).toBeUndefined()
  })

  it('a port that another program has, and which one it is', async () => {
    const program = spawn(process.execPath, [
      '-e',
      `const s = require('node:net').createServer((c) => c.end('no')).listen(0, '${HOST}', () => console.log(String(s.address().port)))`,
    ])
    close.add(() => program.kill())
    const [line] = await once(program.stdout, 'data')
    const port = String(line).trim()
    const told = process.platform === 'linux' ? `process ID ${program.pid}` : 'already listens'
    const expected = (name: string) =>
      [
        'ports',
        'problem',
        new RegExp(`${name}.*another program already listens at ${HOST}:${port}.*${told}`),
        new RegExp(`set ${name} to another port`),
      ] as const
    await expectFindings({ ...folders.healthy(), HTTP_PORT: port }, [[...expected('HTTP_PORT')]])
    const names = ['SWITCHROOM_INGEST_INFLUX', 'SWITCHROOM_INGEST_OTLP', 'SWITCHROOM_INGEST_HEP']
    for (const name of names)
      await expectFindings(
        { ...folders.healthy(), HTTP_PORT: '0', [name]: port },
        // no server runs, so the HTTP port says nothing
        [[...expected(name)]],
      )
  })

  it('an address that this machine does not have', async () => {
    await expectFindings({ ...folders.healthy(), HTTP_HOST: '198.51.100.1', HTTP_PORT: '3000' }, [
      ['ports', 'problem', /does not have the address 198\.51\.100\.1/, /of this machine/],
    ])
  })

  it('a database that is damaged, lacks something, or is newer', async () => {
    const damaged = folders.healthy()
    const file = join(damaged.SWITCHROOM_DATA!, 'switchroom.db')
    writeFileSync(file, 'this is no database at all. '.repeat(400))
    await expectFindings(damaged, [
      ['database', 'problem', /not a SQLite database/, /SWITCHROOM_DATA/],
    ])
    const lacking = folders.healthy()
    change(lacking, 'alter table phone_numbers rename column number to other')
    await expectFindings(lacking, [
      ['database_shape', 'problem', /lacks column phone_numbers\.number/, /restore/],
    ])
    const without = folders.healthy()
    change(without, 'drop table switchroom_sessions')
    await expectFindings(without, [
      ['database_shape', 'problem', /lacks table switchroom_sessions/, /complete backup/],
    ])
    const newer = folders.healthy()
    change(newer, `insert into switchroom_migrations values ('999-later', '')`)
    await expectFindings(newer, [
      ['migrations', 'problem', /newer version .* 999-later/, /Start that version/],
    ])
  })

  it('backups that are not made, cannot be written, failed, or are old', async () => {
    const { SWITCHROOM_BACKUP_TO: _, ...none } = folders.healthy()
    await expectFindings(none, [
      ['backups', 'warning', /No backups are scheduled/, /SWITCHROOM_BACKUP_TO/],
    ])
    const environment = folders.healthy()
    const data = environment.SWITCHROOM_DATA!
    const to = join(data, 'jwt-secret', 'backups')
    await expectFindings({ ...environment, SWITCHROOM_BACKUP_TO: to }, [
      ['backups', 'problem', /cannot be written to/, /right to write/],
    ])
    const made = (state: 'done' | 'failed', days: number) => {
      const at = Date.now() - days * 86_400_000
      const id = beginRun(data, () => true, '/backups/x', at)!
      const sentence = state === 'failed' ? 'The disk is full.' : null
      endRun(data, id, { state, sentence, bytes: null }, at)
    }
    made('done', 5)
    await expectFindings(environment, [
      ['backups', 'warning', /The last backup is from \d{4}-/, /npm run backup/],
    ])
    made('failed', 0)
    await expectFindings(environment, [
      ['backups', 'problem', /The last backup failed: The disk is full\./, /Fix that/],
    ])
    made('done', 0)
    await expectFindings(environment, [])
  })
})

describe('tries the upgrade of the data folder on a copy', () => {
  /** A set-up with the call data of an older version, which takes its copies to a folder of its own. */
  function older(commit: string): Environment {
    const environment = folders.healthy()
    const data = environment.SWITCHROOM_DATA!
    unpack(readFileSync(new URL(`../../../test/older-data/${commit}.br`, import.meta.url)), data)
    for (const name of ['telemetry', 'traces', 'captures', 'recordings'])
      chmodSync(join(data, name), 0o700)
    return { ...environment, TMPDIR: mkdtempSync(join(folders.root, 'copies-')) }
  }
  const inFolder = ({ SWITCHROOM_DATA }: Environment, day: string) =>
    join(SWITCHROOM_DATA!, 'telemetry', `${day}.db`)
  function run(environment: Environment, day: string, statement: string) {
    const db = new DatabaseSync(inFolder(environment, day))
    db.exec(statement)
    db.close()
  }
  const segmentIn = (environment: Environment, name: string) =>
    `${name}/${readdirSync(join(environment.SWITCHROOM_DATA!, name)).find((file) => /^\d{13}\.db$/.test(file))}`
  async function found(environment: Environment) {
    const { results } = await diagnose(environment)
    return results
      .filter(({ check }) => check === 'upgrade')
      .map(({ outcome, sentence }) => [outcome, sentence])
  }
  const files = DAYS.map((day) => `telemetry/${day}.db`).join(', ')

  it('and says what the next start does, without changing anything', async () => {
    const environment = older('9bbaea1b')
    const data = environment.SWITCHROOM_DATA!
    const before = contentOf(data)
    expect(await found(environment)).toEqual([
      ['ok', `The next start upgrades ${files} from format 2 to 4. This works on a copy.`],
      [
        'ok',
        `The next start upgrades ${segmentIn(environment, 'traces')} from format 1 to 3. This works on a copy.`,
      ],
    ])
    expect(contentOf(data)).toEqual(before)
    expect(readdirSync(environment.TMPDIR!)).toEqual([])
    await expectFindings(environment, [])
  })

  it('also of files that have the version of a later step', async () => {
    const environment = older('9bbaea1b')
    for (const day of DAYS) run(environment, day, 'pragma user_version = 3')
    expect((await found(environment))[0]).toEqual([
      'ok',
      `The next start upgrades ${files} from format 2 to 4. This works on a copy.`,
    ])
  })

  it('with what is in their WAL alone, and while a server of the former version has them open', async () => {
    const environment = older('9bbaea1b')
    const db = new DatabaseSync(inFolder(environment, DAYS[0]))
    close.add(() => db.close())
    db.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0')
    db.exec('alter table calls rename column answered_at to others; begin immediate')
    expect(await found(environment)).toContainEqual([
      'problem',
      expect.stringMatching(
        `^The upgrade of telemetry/${DAYS[0]}\\.db fails on a copy: .*answered_at`,
      ),
    ])
  })

  it('and of the database', async () => {
    const environment = older('9bbaea1b')
    change(environment, "delete from switchroom_migrations where name >= '028'")
    change(environment, 'drop table switchroom_words_kept_before')
    const before = contentOf(environment.SWITCHROOM_DATA!)
    expect(await found(environment)).toContainEqual([
      'ok',
      'The next start applies 028-words-kept-before, 029-file-preferences, 030-issue-marks, 031-creations, 032-events and 12 more to switchroom.db. This works on a copy.',
    ])
    expect(contentOf(environment.SWITCHROOM_DATA!)).toEqual(before)
    change(environment, 'create table switchroom_words_kept_before (other text)')
    expect(await found(environment)).toContainEqual([
      'problem',
      expect.stringMatching(/^The upgrade of switchroom\.db fails on a copy: /),
    ])
  })

  it('and names what fails, and what a newer version wrote', async () => {
    const environment = older('9bbaea1b')
    const [first, second, third] = DAYS
    run(environment, first, 'alter table cube rename to other')
    run(environment, second, 'pragma user_version = 99')
    const page = Buffer.alloc(8_192, 0xa5)
    const damaged = readFileSync(inFolder(environment, third))
    for (let at = 8_192; at < damaged.length; at += page.length) page.copy(damaged, at)
    writeFileSync(inFolder(environment, third), damaged)
    const before = contentOf(environment.SWITCHROOM_DATA!)
    await expectFindings(environment, [
      [
        'upgrade',
        'problem',
        /^Written by a newer version of Switchroom: telemetry\/[\d-]+\.db\.$/,
        /Start that version/,
      ],
      [
        'upgrade',
        'problem',
        /^The upgrade of telemetry\/[\d-]+\.db fails on a copy: .*cube/,
        /Keep running the previous version/,
      ],
      ['upgrade', 'warning', /^telemetry\/[\d-]+\.db is damaged: /, /npm run recover/],
    ])
    expect(contentOf(environment.SWITCHROOM_DATA!)).toEqual(before)
  })

  it.runIf(canMount)('or tells the versions alone where there is no room for one', async () => {
    const disk = smallDisk(1e6)!
    close.add(disk.close)
    disk.fill()
    const environment = { ...older('9bbaea1b'), TMPDIR: disk.folder }
    const [room, ...untried] = await found(environment)
    expect(room).toEqual([
      'warning',
      expect.stringMatching(
        /^The upgrade cannot be tried on a copy: that takes \d+ MB in .+, where 0 MB are free\.$/,
      ),
    ])
    expect(untried).toEqual([
      ['not_checked', `The next start upgrades ${files} from format 2 to 4.`],
      [
        'not_checked',
        `The next start upgrades ${segmentIn(environment, 'traces')} from format 1 to 3.`,
      ],
    ])
  })

  it('or has nothing to try', async () => {
    expect(await found(folders.healthy())).toEqual([
      ['ok', 'All files of the data folder are of this version.'],
    ])
  })
})

describe('the command', () => {
  const command = fileURLToPath(new URL('../../../../../scripts/doctor.ts', import.meta.url))
  async function run(environment: Environment, ...given: string[]) {
    const env = { PATH: process.env.PATH, ...environment }
    const child = spawn(process.execPath, [command, ...given], { env, cwd: folders.root })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk) => {
        output[name] += chunk
      })
    const [status] = await once(child, 'close')
    expect(output.stdout + output.stderr).not.toContain('canary')
    return { status, ...output }
  }

  it('exits with 0 if all is well, 1 with problems, 2 for wrong arguments', async () => {
    const broken = { ...folders.healthy(), HTTP_PORT: 'canary', SMTP_URL: 'canary' }
    const [well, wrong, refused] = await Promise.all([
      run(folders.healthy()),
      run(broken, '--json'),
      run({}, '--wrong'),
    ])
    expect(well).toMatchObject({ status: 0, stderr: '' })
    expect(well.stdout).toMatch(/^Switchroom \d.*No problems found\n$/s)
    expect(wrong).toMatchObject({ status: 1, stderr: '' })
    expect(DoctorReport.parse(JSON.parse(wrong.stdout)).results).toContainEqual({
      check: 'variables',
      outcome: 'problem',
      sentence: 'HTTP_PORT: must be a whole number from 0 to 65535.',
      fix: expect.stringContaining('HTTP_PORT'),
    })
    expect(refused).toMatchObject({ status: 2, stdout: '' })
    expect(refused.stderr).toMatch(/^Usage: npm run doctor/)
  })
})

it('reads a database that a server has open', async () => {
  const environment = folders.healthy()
  const db = new DatabaseSync(join(environment.SWITCHROOM_DATA!, 'switchroom.db'))
  db.exec(`pragma journal_mode = wal; insert into switchroom_migrations values ('999-later', '')`)
  db.exec('begin immediate')
  close.add(() => db.close())
  const { results } = await diagnose(environment)
  expect(results.find(({ check }) => check === 'migrations')).toMatchObject({ outcome: 'problem' })
})
