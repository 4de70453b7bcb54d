import { type ChildProcess, fork } from 'node:child_process'
import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { t } from '@switchroom/contract'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../http/context.ts'
import { BackupFailed, inWords } from './failure.ts'
import { jobOf, passphraseOf } from './job.ts'
import { newName, ownerOf, PARTIAL, timeOf } from './names.ts'
import { beginRun, endRun, folderId, keepRun, type Run } from './records.ts'
import { removeStale } from './stale.ts'
import type { BackupJob, Written } from './write.ts'

const KEEP_MS = 10_000
const PROCESS = new URL('./own-process.ts', import.meta.url)

type Maker = Pick<Context, 'config' | 'log'>

/**
 * Makes a backup if it is due and no other process makes one. Resolves to whether it began; `done` resolves
 * when it is complete or has failed, which the records say.
 */
export async function makeBackup(
  { config, log }: Maker,
  isDue: (runs: Run[]) => boolean,
  signal?: AbortSignal,
): Promise<{ done: Promise<void> } | undefined> {
  const { data } = config
  const { to } = config.backups
  if (to === undefined) throw new BackupFailed('refused', t('SWITCHROOM_BACKUP_TO is not set.'))
  const file = join(resolve(to), newName(new Date(), folderId(data)))
  const id = beginRun(data, isDue, file)
  if (id === undefined) return undefined
  const keeping = setInterval(() => keepRun(data, id), KEEP_MS)
  const run = async () => {
    try {
      const { bytes, warnings } = await write(config, file, signal)
      const sentence = warnings.length > 0 ? warnings.slice(0, 5).join(' ') : null
      endRun(data, id, { state: 'done', sentence, bytes })
      log.info({ file, bytes, warnings }, 'backup made and verified')
    } catch (err) {
      endRun(data, id, { state: 'failed', sentence: inWords(err).message, bytes: null })
      log.error({ err }, 'backup failed')
    } finally {
      clearInterval(keeping)
    }
  }
  return { done: run() }
}

async function write(
  config: Config,
  file: string,
  signal: AbortSignal | undefined,
): Promise<Written> {
  const { keep, recordings } = config.backups
  const passphrase = await passphraseOf(config)
  if (passphrase === undefined)
    throw new BackupFailed('refused', t('SWITCHROOM_BACKUP_TO is not set.'))
  const written = await inOwnProcess(jobOf(config, { file, passphrase, recordings }), signal)
  await prune(dirname(file), folderId(config.data), keep, file)
  return written
}

async function inOwnProcess(job: BackupJob, signal: AbortSignal | undefined) {
  const child = fork(PROCESS, {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const stop = () => child.kill('SIGTERM')
  signal?.addEventListener('abort', stop)
  try {
    return await resultOf(child, job)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

type Result = { written: Written } | { failed: string }

const resultOf = (child: ChildProcess, job: BackupJob) =>
  new Promise<Written>((done, fail) => {
    child.once('message', (result: Result) =>
      'written' in result ? done(result.written) : fail(new BackupFailed('failed', result.failed)),
    )
    child.once('error', fail)
    child.once('exit', (code, by) =>
      fail(new BackupFailed('failed', t('The backup process ended ({by}).', { by: by ?? code }))),
    )
    child.send(job)
  })

export type Kept = { name: string; at: Date; bytes: number; own: boolean }

/** The backups in a folder, newest first. */
export async function backupsIn(folder: string, owner: string): Promise<Kept[]> {
  const names = await readdir(folder).catch(() => [])
  const found = names
    .sort()
    .reverse()
    .map(async (name): Promise<Kept[]> => {
      const at = timeOf(name)
      const stats = at && (await stat(join(folder, name)).catch(() => undefined))
      return at && stats ? [{ name, at, bytes: stats.size, own: ownerOf(name) === owner }] : []
    })
  return (await Promise.all(found)).flat()
}

/** Deletes this data folder's oldest backups. Runs only after a newer one was verified, and never deletes that. */
export async function prune(folder: string, owner: string, keep: number, verified: string) {
  const own = (await backupsIn(folder, owner)).filter((backup) => backup.own)
  const others = own.map(({ name }) => join(folder, name)).filter((file) => file !== verified)
  for (const file of others.slice(keep - 1)) await rm(file, { force: true })
  await removeStale(folder, PARTIAL)
}
