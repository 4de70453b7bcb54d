import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Config } from '../packages/server/src/config/config.ts'
import { BackupFailed } from '../packages/server/src/health/backups/failure.ts'
import { passphraseOf } from '../packages/server/src/health/backups/job.ts'

/** The configured passphrase, or the one that is typed. Never an argument: others see those. */
export async function askPassphrase(config: Config, { twice }: { twice: boolean }) {
  const configured = await passphraseOf(config)
  if (configured !== undefined) return configured
  if (!process.stdin.isTTY)
    throw new BackupFailed(
      'refused',
      'Set SWITCHROOM_BACKUP_PASSPHRASE_FILE, or SWITCHROOM_BACKUP_PASSPHRASE.',
    )
  const typed = await ask('Passphrase: ')
  if (twice && typed !== (await ask('Again: ')))
    throw new BackupFailed('refused', 'The passphrases are not the same.')
  return typed
}

/** Reads a line from the terminal without showing it. */
async function ask(question: string) {
  process.stderr.write(question)
  const hidden = new Writable({ write: (_, __, done) => done() })
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: true })
  const line = await lines.question('')
  lines.close()
  process.stderr.write('\n')
  return line
}
