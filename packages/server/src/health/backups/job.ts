import { readFile } from 'node:fs/promises'
import { t } from '@switchroom/contract'
import { fileReason } from '../../config/cannot-start.ts'
import type { Config } from '../../config/config.ts'
import { VERSION } from '../../http/capabilities.ts'
import { BackupFailed } from './failure.ts'
import type { BackupJob } from './write.ts'

/** The configured passphrase; undefined if there is none. Throws `BackupFailed`. */
export async function passphraseOf({ backups: { passphrase } }: Pick<Config, 'backups'>) {
  if ('text' in passphrase) return passphrase.text
  try {
    // editors end a file with a newline
    return (await readFile(passphrase.file, 'utf8')).trim()
  } catch (e) {
    throw new BackupFailed(
      'refused',
      t('SWITCHROOM_BACKUP_PASSPHRASE_FILE: the file {file} cannot be read ({reason}).', {
        file: passphrase.file,
        reason: fileReason(e),
      }),
      e,
    )
  }
}

/** A backup of this server's data to a file. */
export const jobOf = (
  { data, database, backups }: Config,
  to: Pick<BackupJob, 'file' | 'passphrase' | 'recordings'>,
): BackupJob => ({
  ...to,
  data,
  version: VERSION,
  database: database ? 'mysql' : 'embedded',
  secrets: backups.secrets,
})
