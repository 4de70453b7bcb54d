import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../packages/server/src/config/config.ts'
import { exitBecause } from '../packages/server/src/start/errors.ts'
import { BackupFailed, STATUS } from '../packages/server/src/system/backups/failure.ts'
import { jobOf } from '../packages/server/src/system/backups/job.ts'
import { newName } from '../packages/server/src/system/backups/names.ts'
import { writeBackup } from '../packages/server/src/system/backups/write.ts'
import { askPassphrase, sizeInWords } from './passphrase.ts'

/** Writes a verified, encrypted backup of the configured data folder. The server may be running. */
const usage = () => {
  console.error(
    'Usage: npm run backup -- <file or folder> [--recordings]\nWithout a file or folder, SWITCHROOM_BACKUP_TO is used.',
  )
  process.exit(STATUS.refused)
}

function argumentsOf() {
  try {
    const { values, positionals } = parseArgs({
      options: { recordings: { type: 'boolean' } },
      allowPositionals: true,
    })
    return positionals.length > 1 ? usage() : { ...values, to: positionals[0] }
  } catch {
    return usage()
  }
}

const given = argumentsOf()
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => stop.abort())

let config: Config | undefined
try {
  config = readConfig(process.env)
  const to = given.to ?? config.backups.to ?? usage()
  const isFolder = !given.to || statSync(to, { throwIfNoEntry: false })?.isDirectory()
  const recordings = given.recordings ?? config.backups.recordings
  const job = jobOf(config, {
    file: resolve(isFolder ? join(to, newName(new Date())) : to),
    passphrase: await askPassphrase(config, { twice: true }),
    recordings,
  })
  if (!statSync(job.data, { throwIfNoEntry: false }))
    throw new BackupFailed(
      'refused',
      `SWITCHROOM_DATA: there is no folder ${job.data}. Run this with the server's own variables, in the folder where it starts.`,
    )
  const { file, bytes, files, warnings } = await writeBackup(job, stop.signal)
  console.log(`${file} is complete and verified: ${files} files, ${sizeInWords(bytes)}.`)
  for (const warning of warnings) console.warn(`Warning: ${warning}`)
  if (!recordings) console.log('Recordings are not in it. Add --recordings to include them.')
  if (job.secrets.length > 0)
    console.log(
      `Not in it, because they are in the environment: ${job.secrets.join(', ')}. Keep them too.`,
    )
  if (config.database)
    console.log(
      `Not in it: the database "${config.database.kind === 'mysql' && config.database.database}". Back it up with mariadb-dump.`,
    )
} catch (e) {
  if (!(e instanceof BackupFailed)) exitBecause(e, config, 'The backup cannot be made')
  console.error(
    stop.signal.aborted
      ? 'The backup was cancelled. Nothing was written.'
      : `The backup failed. Nothing was written.\n${e.message}`,
  )
  process.exit(e.status)
}
process.exit(0)
