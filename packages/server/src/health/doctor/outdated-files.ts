import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { Shard } from '../../stores/calls/files/shard.ts'
import { Writer } from '../../stores/calls/files/writer.ts'
import { DAY_MS } from '../../stores/calls/times.ts'
import { type Kind, VERSIONS, versionInHeader } from '../../stores/kit/formats.ts'
import { recordFolders, type StoresConfig } from '../../stores/open.ts'
import { Segment as CaptureSegment } from '../../stores/sip/files/segment.ts'
import { Segment as TraceSegment } from '../../stores/traces/files/segment.ts'
import { VoiceDay } from '../../stores/voice/files/day.ts'

/** A file of records that an earlier version wrote. */
export type Outdated = { kind: Kind; file: string; version: number }

/** The files of records that are not of this version. Only reads, and leaves nothing beside them. */
export function outdatedFiles(config: StoresConfig): { outdated: Outdated[]; newer: string[] } {
  const outdated: Outdated[] = []
  const newer: string[] = []
  for (const [kind, folder] of recordFolders(config))
    for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
      const file = join(folder, name)
      const version = name.endsWith('.db') ? versionOf(kind, file) : undefined
      if (version === undefined) continue
      if (version > VERSIONS[kind]) newer.push(file)
      else if (version < VERSIONS[kind]) outdated.push({ kind, file, version })
    }
  return { outdated, newer }
}

function versionOf(kind: Kind, file: string): number | undefined {
  const version = versionInHeader(file)
  return kind === 'calls' && version === 3 && !hasAnswerTimes(file) ? 2 : version
}

/** False for files that a version before gave the version of a later step. */
function hasAnswerTimes(file: string): boolean {
  const url = pathToFileURL(file)
  // leaves no file beside it
  url.searchParams.set('immutable', '1')
  const db = new DatabaseSync(url, { readOnly: true })
  try {
    const columns = db.prepare("select name from pragma_table_info('cube')").all()
    return columns.length === 0 || columns.some(({ name }) => name === 'answers')
  } catch {
    // damaged, or being written
    return true
  } finally {
    db.close()
  }
}

const dayOf = (file: string) => Date.parse(basename(file).slice(0, 10)) / DAY_MS

const UPGRADES: Record<Kind, (file: string) => void> = {
  calls(file) {
    const shard = new Shard(file, dayOf(file), 'write')
    try {
      new Writer(shard)
    } finally {
      shard.close()
    }
  },
  traces: (file) => new TraceSegment(file).close(),
  captures: (file) => new CaptureSegment(file).close(),
  voice: (file) => new VoiceDay(file, dayOf(file)).close(),
}

/** Upgrades a file as the server does. Throws if that fails. */
export const upgradeFile = ({ kind }: Outdated, file: string) => UPGRADES[kind](file)

export const sizeOf = (file: string) =>
  ['', '-wal'].reduce(
    (sum, end) => sum + (statSync(`${file}${end}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

const COPIES = 3

/**
 * Runs work on a copy of a database, and removes the copy. Resolves to false if there is none as of one moment: its WAL is
 * merged into it all the time.
 */
export async function withCopy(
  file: string,
  folder: string,
  work: (copy: string) => void | Promise<void>,
): Promise<boolean> {
  const copy = join(folder, basename(file))
  try {
    for (let i = 0; i < COPIES; i++) {
      const { size, mtimeMs } = statSync(file)
      copyFileSync(file, copy)
      rmSync(`${copy}-wal`, { force: true })
      if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`)
      const now = statSync(file)
      if (now.size !== size || now.mtimeMs !== mtimeMs) continue
      await work(copy)
      return true
    }
    return false
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${copy}${end}`, { force: true })
  }
}
