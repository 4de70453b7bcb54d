import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { t } from '@switchroom/contract'
import { fileReason } from '../../../config/cannot-start.ts'
import { errorCode } from '../../../errors/members.ts'
import type { Check } from '../check.ts'
import { type Finding, named, ok, problem, warning } from '../finding.ts'

const OTHERS = 0o077
/** What is ours in it, and must be readable by this user alone. */
const OURS =
  /^(?:switchroom\.db(?:-wal|-shm)?|jwt-secret|backups\.db|telemetry|traces|captures|recordings)$/

/** Types of network file systems, as statfs(2) numbers them: NFS, SMB, CIFS, SMB2. */
const NETWORK = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42])

/** Whether SQLite's locks can be trusted there. */
export function fileSystemFinding(type: number, folder: string): Finding | undefined {
  if (!NETWORK.has(type)) return undefined
  return problem(
    t(
      'The data folder {folder} is on a network file system. SQLite’s locks do not work there, and the database may be damaged.',
      { folder },
    ),
    t('Move it to a local disk and set SWITCHROOM_DATA to it, or use MariaDB.'),
  )
}

/** Whether the server can keep its files there, and nobody else can read them. */
export const dataFolder: Check = {
  name: 'data_folder',
  needs: /^SWITCHROOM_DATA$/,
  async run({ config }) {
    const folder = resolve(config.data)
    const stats = await stat(folder).catch((e: unknown) => {
      if (errorCode(e) === 'ENOENT') return undefined
      throw e
    })
    if (!stats)
      return warning(
        t('There is no data folder {folder}.', { folder }),
        t(
          'If the server has never run, its first start creates it. Otherwise run this command in the folder where the server starts, or set SWITCHROOM_DATA to an absolute path.',
        ),
      )
    if (!stats.isDirectory())
      return problem(
        t('SWITCHROOM_DATA: {folder} is not a folder.', { folder }),
        t('Move that file away, or set SWITCHROOM_DATA to a folder.'),
      )
    const refused = await whyNotWritable(folder)
    if (refused)
      return problem(
        t('SWITCHROOM_DATA: nothing can be written to {folder} ({refused}).', { folder, refused }),
        t(
          'Give the user that runs the server the right to write there, and make sure that the disk is neither full nor mounted read-only.',
        ),
      )
    const found = [...(await filesOf(folder))]
    if (!config.database) {
      const network = fileSystemFinding((await statfs(folder)).type, folder)
      if (network) found.push(network)
    }
    return found.length > 0 ? found : ok(t('{folder} can be written.', { folder }))
  },
}

/** Tries it: rights alone do not tell of quotas, full disks and read-only mounts. */
async function whyNotWritable(folder: string) {
  const file = join(folder, `.doctor-${randomUUID()}`)
  try {
    await writeFile(file, 'x'.repeat(4_096), { mode: 0o600, flag: 'wx', flush: true })
    return undefined
  } catch (e) {
    return fileReason(e)
  } finally {
    await rm(file, { force: true }).catch(() => undefined)
  }
}

async function filesOf(folder: string): Promise<Finding[]> {
  const closed: string[] = []
  const open: string[] = []
  for (const name of (await readdir(folder)).filter((n) => OURS.test(n))) {
    const path = join(folder, name)
    const allowed = await access(path, constants.R_OK | constants.W_OK).then(
      () => true,
      () => false,
    )
    if (!allowed) closed.push(name)
    // SQLite removes some of them at any time
    const stats = await stat(path).catch(() => undefined)
    if (stats && (stats.mode & OTHERS) !== 0) open.push(name)
  }
  return [
    ...(closed.length > 0
      ? [
          problem(
            t('In {folder}, this user may not read and write {named}.', {
              folder,
              named: named(closed),
            }),
            t('Give them to the user that runs the server: chown -R <user> {folder}', { folder }),
          ),
        ]
      : []),
    ...(open.length > 0
      ? [
          warning(
            t('In {folder}, other users of this machine can read {named}.', {
              folder,
              named: named(open),
            }),
            t('Close them: chmod -R go= {folder}', { folder }),
          ),
        ]
      : []),
  ]
}
