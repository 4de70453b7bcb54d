import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../packages/server/src/config/config.ts'
import { exitBecause } from '../packages/server/src/start/errors.ts'
import { BackupFailed, STATUS } from '../packages/server/src/system/backups/failure.ts'
import { restoreBackup } from '../packages/server/src/system/backups/restore.ts'
import { askPassphrase } from './passphrase.ts'

/** Restores a backup into an empty data folder. */
const usage = () => {
  console.error(
    'Usage: npm run restore -- <file> [folder]\nWithout a folder, SWITCHROOM_DATA is used.',
  )
  process.exit(STATUS.refused)
}

function argumentsOf() {
  try {
    const [file, folder, ...more] = parseArgs({ allowPositionals: true }).positionals
    return file === undefined || more.length > 0 ? usage() : { file: resolve(file), folder }
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
  const passphrase = await askPassphrase(config, { twice: false })
  const folder = resolve(given.folder ?? config.data)
  const source = { file: given.file, passphrase, signal: stop.signal }
  const { header, files, warnings } = await restoreBackup(source, folder)
  console.log(`Restored ${files} files from ${header.created_at} to ${folder}.`)
  for (const warning of warnings) console.warn(`Warning: ${warning}`)
  if (header.database === 'embedded') console.log('All users have to log in again.')
  else console.log('The database is not in this backup. Restore it from its own dump.')
  if (!header.recordings) console.log('Recordings are not in this backup.')
  if (header.secrets.length > 0)
    console.log(`Start the server with the former values of ${header.secrets.join(' and ')}.`)
} catch (e) {
  if (!(e instanceof BackupFailed)) exitBecause(e, config, 'The backup cannot be restored')
  console.error(
    stop.signal.aborted
      ? 'The restore was cancelled. Nothing was restored.'
      : `Nothing was restored.\n${e.message}`,
  )
  process.exit(e.status)
}
process.exit(0)
