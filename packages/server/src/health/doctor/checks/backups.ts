import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { t } from '@switchroom/contract'
import { fileReason } from '../../../config/cannot-start.ts'
import { errorCode } from '../../../errors/members.ts'
import { runsAsRecorded } from '../../backups/records.ts'
import { intervalMs } from '../../backups/timetable.ts'
import type { Check } from '../check.ts'
import { ok, problem, warning } from '../finding.ts'

const KEPT = 100

/** Whether backups are made, can be written, and are recent. */
export const backups: Check = {
  name: 'backups',
  needs: /^SWITCHROOM_(?:BACKUP|DATA)/,
  async run({ config }) {
    const { to, schedule } = config.backups
    if (to === undefined)
      return config.database
        ? ok(t('Not scheduled. The database is backed up with its own tools.'))
        : warning(
            t('No backups are scheduled. If this disk fails, everything is lost.'),
            t(
              'Set SWITCHROOM_BACKUP_TO to a folder on another disk and SWITCHROOM_BACKUP_PASSPHRASE_FILE to a file with a passphrase.',
            ),
          )
    const folder = resolve(to)
    const refused = await whyNotWritable(folder)
    if (refused)
      return problem(
        t('SWITCHROOM_BACKUP_TO: backups cannot be written to {folder} ({refused}).', {
          folder,
          refused,
        }),
        t('Mount that disk, or give the user that runs the server the right to write there.'),
      )
    const runs = runsAsRecorded(config.data, KEPT).filter(({ state }) => state !== 'running')
    const [latest] = runs
    const good = runs.find(({ state }) => state === 'done')?.ended_at
    if (!latest) return ok(t('To {folder}. None has been made yet.', { folder }))
    if (latest.state === 'failed')
      return problem(
        t('The last backup failed: {sentence}', {
          sentence: latest.sentence ?? t('it was interrupted.'),
        }),
        t('Fix that, then make one now under System health, or with npm run backup.'),
      )
    if (!good || Date.now() - good > 2 * intervalMs(schedule))
      return warning(
        t('The last backup is from {value}.', {
          value: good ? new Date(good).toISOString().slice(0, 10) : t('long ago'),
        }),
        t(
          'Backups are made while the server runs. Keep it running, or make one with npm run backup.',
        ),
      )
    return ok(
      t('To {folder}. The last one is from {time} UTC.', {
        folder,
        time: new Date(good).toISOString().slice(0, 16),
      }),
    )
  },
}

/** A folder that does not exist is made with the first backup. */
async function whyNotWritable(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return t('it is not a folder')
    await access(folder, constants.W_OK)
    return undefined
  } catch (e) {
    if (errorCode(e) !== 'ENOENT') return fileReason(e)
    const parent = resolve(folder, '..')
    return parent === folder ? fileReason(e) : whyNotWritable(parent)
  }
}
