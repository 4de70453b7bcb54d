import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BackupFailed } from '../packages/server/src/health/backups/failure.ts'
import { jobOf } from '../packages/server/src/health/backups/job.ts'
import { newName } from '../packages/server/src/health/backups/names.ts'
import { writeBackup } from '../packages/server/src/health/backups/write.ts'
import { filesText, runBackupCommand } from './backup-command.ts'
import { askPassphrase } from './passphrase.ts'

/** 1.2 MB */
const sizeInWords = (bytes: number) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

/** Writes a verified, encrypted backup of the configured data folder. The server may be running. */
await runBackupCommand({
  usage:
    'Usage: npm run backup -- <file or folder> [--recordings]\nWithout a file or folder, SWITCHROOM_BACKUP_TO is used.',
  says: {
    cannotRun: 'The backup cannot be made',
    cancelled: 'The backup was cancelled. Nothing was written.',
    failed: 'The backup failed. Nothing was written.',
  },
  parse() {
    const { values, positionals } = parseArgs({
      options: { recordings: { type: 'boolean' } },
      allowPositionals: true,
    })
    return positionals.length > 1 ? undefined : { ...values, to: positionals[0] }
  },
  async work(given, { config, signal, wrongArguments }) {
    const { backups, database } = config
    const to = given.to ?? backups.to ?? wrongArguments()
    const recordings = given.recordings ?? backups.recordings
    const isFolder =
      !given.to || to.endsWith('/') || statSync(to, { throwIfNoEntry: false })?.isDirectory()
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
    const { file, bytes, files, warnings } = await writeBackup(job, signal)
    console.log(`${file} is complete and verified: ${filesText(files)}, ${sizeInWords(bytes)}.`)
    for (const warning of warnings) console.warn(`Warning: ${warning}`)
    if (!recordings) console.log('Recordings are not in it. Add --recordings to include them.')
    if (job.secrets.length > 0)
      console.log(
        `Not in it, because they are in the environment: ${job.secrets.join(' and ')}. Keep their values too.`,
      )
    if (database?.kind === 'mysql')
      console.log(
        `Not in it: the database. Dump it at the same time: mariadb-dump --single-transaction ${database.database}`,
      )
  },
})
