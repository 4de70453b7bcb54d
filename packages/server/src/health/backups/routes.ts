import { resolve } from 'node:path'
import { type api, t } from '@switchroom/contract'
import { auditEvent } from '../../audit/audited.ts'
import { Failure } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'
import { folderId, KEPT, type Run, runs } from './records.ts'
import { reportBackups } from './start.ts'
import { dueAt } from './timetable.ts'

const SHOWN = 20

const iso = (ms: number) => new Date(ms).toISOString()
const shown = ({ began_at, ended_at, state, sentence, bytes }: Run) => ({
  ...{ state, sentence, bytes },
  began_at: iso(began_at),
  ended_at: ended_at === null ? null : iso(ended_at),
})

export const backupRoutes: Handlers<typeof api.backups> = {
  async view({ ctx: { config } }) {
    const { to, schedule, keep, recordings } = config.backups
    const database = config.database === undefined
    const common = { scheduled: to !== undefined, schedule, keep, recordings, database }
    if (to === undefined) return { ...common, folder: null, next_at: null, runs: [], files: [] }
    const folder = resolve(to)
    const now = Date.now()
    const tries = runs(config.data, KEPT, now)
    const { backupsIn } = await import('./make.ts')
    const files = await backupsIn(folder, folderId(config.data))
    return {
      ...common,
      folder,
      next_at: iso(Math.max(now, dueAt(schedule, tries, folder, now))),
      runs: tries.slice(0, SHOWN).map(shown),
      files: files.map(({ name, at, bytes }) => ({ name, at: at.toISOString(), bytes })),
    }
  },

  async make(actor) {
    const { ctx } = actor
    if (ctx.config.backups.to === undefined)
      throw new Failure('invalid', t('Set SWITCHROOM_BACKUP_TO to make backups.'))
    // logged first: nobody makes a copy of everything without a trace
    await auditEvent(actor, { action: 'create', kind: 'backup', sid: 'system', subject: {} })
    const { makeBackup } = await import('./make.ts')
    const begun = await makeBackup(ctx, () => true)
    if (!begun) throw new Failure('conflict', t('A backup is already running.'))
    begun.done
      .then(() => reportBackups(ctx))
      .catch((err: unknown) => ctx.log.error({ err }, 'backup could not be recorded'))
  },
}
