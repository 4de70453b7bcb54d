import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../packages/server/src/config/config.ts'
import type { Header } from '../packages/server/src/health/backups/manifest.ts'
import { restoreBackup } from '../packages/server/src/health/backups/restore.ts'
import { filesText, runBackupCommand } from './backup-command.ts'
import { askPassphrase } from './passphrase.ts'

function aboutDatabase({ database }: Header, config: Config) {
  if (database === 'mysql')
    return 'The database is not in this backup. Load its dump, then run npm run end-sessions before the server starts.'
  return config.database
    ? 'The database in this backup is not used while JAMBONES_MYSQL_HOST is set.'
    : 'All users have to log in again.'
}

/** Restores a backup into an empty data folder. */
await runBackupCommand({
  usage: 'Usage: npm run restore -- <file> [folder]\nWithout a folder, SWITCHROOM_DATA is used.',
  says: {
    cannotRun: 'The backup cannot be restored',
    cancelled: 'The restore was cancelled. Nothing was restored.',
    failed: 'Nothing was restored.',
  },
  parse() {
    const [file, folder, ...more] = parseArgs({ allowPositionals: true }).positionals
    return file === undefined || more.length > 0 ? undefined : { file: resolve(file), folder }
  },
  async work(given, { config, signal }) {
    const passphrase = await askPassphrase(config, { twice: false })
    const folder = resolve(given.folder ?? config.data)
    const source = { file: given.file, passphrase, signal }
    const { header, files, warnings } = await restoreBackup(source, folder)
    console.log(`Restored ${filesText(files)} from ${header.created_at} to ${folder}.`)
    for (const warning of warnings) console.warn(`Warning: ${warning}`)
    console.log(aboutDatabase(header, config))
    if (!header.recordings) console.log('Recordings are not in this backup.')
    if (header.secrets.length > 0)
      console.log(`Start the server with the former values of ${header.secrets.join(' and ')}.`)
  },
})
