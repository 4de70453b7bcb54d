import { t } from '@switchroom/contract'
import { fileReason } from '../../config/cannot-start.ts'
import { errorMessage, errorText } from '../../errors/members.ts'
import { diskTrouble, isDamage } from '../../stores/kit/damage.ts'

/** Exit codes of the commands, as docs/guides/backup.md lists them. */
export const STATUS = {
  failed: 1,
  refused: 2,
  passphrase: 3,
  damaged: 4,
  newer: 5,
  occupied: 6,
} as const

/** Why a backup or a restore failed, in a sentence for the operator. Nothing is left behind. */
export class BackupFailed extends Error {
  override name = 'BackupFailed'
  readonly status: number

  constructor(status: keyof typeof STATUS, message: string, cause?: unknown) {
    super(message, { cause })
    this.status = STATUS[status]
  }
}

/** Why the disk did not take what is written, which says nothing of what is read; undefined for other errors. */
export const diskFailure = (e: unknown) => (isDamage(e) ? undefined : diskTrouble(e))

/** An error of the file system, with its path; others as they are. */
export function inWords(e: unknown): BackupFailed {
  if (e instanceof BackupFailed) return e
  const path = errorText(e, 'path')
  const reason = diskFailure(e)
  if (path !== undefined || reason !== undefined)
    return new BackupFailed(
      'failed',
      t('{path} cannot be used: {reason}.', {
        path: path ?? t('A file'),
        reason: reason ?? fileReason(e),
      }),
      e,
    )
  return new BackupFailed('failed', errorMessage(e), e)
}
