import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { t } from '@switchroom/contract'
import { databaseOf } from '../../../config/database-error.ts'
import { openDb } from '../../../db/open.ts'
import {
  MIGRATIONS,
  pendingMigrations,
  prepareDatabase,
  unknownMigrations,
} from '../../../db/prepare.ts'
import { shapeOf } from '../../../db/shape.ts'
import { errorMessage } from '../../../errors/members.ts'
import { isDamage, isDiskFull } from '../../../stores/kit/damage.ts'
import { VERSIONS } from '../../../stores/kit/formats.ts'
import type { Check } from '../check.ts'
import { type Finding, notChecked, ok, problem, shortList, warning } from '../finding.ts'
import { type Outdated, outdatedFiles, sizeOf, upgradeFile, withCopy } from '../outdated-files.ts'
import type { Site } from '../site.ts'

/** Space that an upgrade takes: a copy of the file, its WAL, and the additions. */
const ROOM = 3
const MARGIN = 10_000_000

/** The database with the migrations that the next start applies to it. */
type Migrations = { file: string; pending: string[] }

/** Tries the next start's upgrade of the files in the data folder, on a copy of each in turn. */
export const upgrade: Check = {
  name: 'upgrade',
  needs: /^SWITCHROOM_DATA$/,
  takesLong: true,
  async run(site) {
    // a server has upgraded them itself
    if (site.isServer) return undefined
    const { outdated, newer } = outdatedFiles(site.config)
    const migrations = await migrationsOf(site)
    const show = (file: string) => relative(site.config.data, file)
    const found = newer.length > 0 ? [newerFinding(newer.map(show))] : []
    const files = outdated.map(({ file }) => file)
    if (migrations) files.push(migrations.file)
    if (files.length === 0)
      return found.length > 0 ? found : ok(t('All files of the data folder are of this version.'))
    const folder = site.environment.TMPDIR || tmpdir()
    const lack = lackOfRoom(folder, files)
    if (lack)
      return [
        ...found,
        lack,
        ...(migrations ? [notChecked(sentenceOfMigrations(migrations, show))] : []),
        ...byVersion(outdated).map((group) => notChecked(sentenceOf(group, show))),
      ]
    const copies = mkdtempSync(join(folder, 'switchroom-doctor-'))
    try {
      if (migrations) found.push(await tryMigrations(migrations, copies, show))
      return [...found, ...(await tryUpgrades(outdated, copies, show))]
    } finally {
      rmSync(copies, { recursive: true, force: true })
    }
  },
}

type Show = (file: string) => string

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`
const works = (sentence: string) => ok(t('{sentence} This works on a copy.', { sentence }))

const newerFinding = (names: string[]) =>
  problem(
    t('Written by a newer version of Switchroom: {named}.', { named: shortList(names) }),
    t('Start that version. This one leaves these files unchanged and shows nothing from them.'),
  )

const beingWritten = (name: string) =>
  notChecked(t('{name} is being written, so there is no copy to try its upgrade on.', { name }))

function failed(name: string, e: unknown): Finding {
  const why = errorMessage(e)
  if (isDiskFull(e))
    return notChecked(t('There is not enough disk space to try the upgrade of {name}.', { name }))
  if (isDamage(e))
    return warning(
      t('{name} is damaged: {why}.', { name, why }),
      t('The server sets it aside. npm run recover then saves what can be read.'),
    )
  return problem(
    t('The upgrade of {name} fails on a copy: {why}.', { name, why }),
    t('Keep running the previous version, and report this as a Switchroom bug.'),
  )
}

/** Undefined if there is room to try them one at a time. */
function lackOfRoom(folder: string, files: string[]): Finding | undefined {
  const needed = ROOM * Math.max(...files.map(sizeOf)) + MARGIN
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= needed) return undefined
  return warning(
    t(
      'The upgrade cannot be tried on a copy: that takes {needed} in {folder}, where {free} are free.',
      {
        needed: megabytes(needed),
        free: megabytes(free),
        folder,
      },
    ),
    t('Free space there, or set TMPDIR to a folder on a larger disk, and run this command again.'),
  )
}

/** Files of one kind and version, which are reported in one sentence. */
const byVersion = (files: Outdated[]): Outdated[][] => [
  ...Map.groupBy(files, ({ kind, version }) => `${kind} ${version}`).values(),
]

const sentenceOf = (files: Outdated[], show: Show) =>
  t('The next start upgrades {named} from format {from} to {to}.', {
    named: shortList(files.map(({ file }) => show(file))),
    from: files[0]!.version,
    to: VERSIONS[files[0]!.kind],
  })

async function tryUpgrades(outdated: Outdated[], copies: string, show: Show): Promise<Finding[]> {
  const upgraded: Outdated[] = []
  const found: Finding[] = []
  for (const one of outdated) {
    try {
      const copied = await withCopy(one.file, copies, (copy) => upgradeFile(one, copy))
      if (copied) upgraded.push(one)
      else found.push(beingWritten(show(one.file)))
    } catch (e) {
      found.push(failed(show(one.file), e))
    }
  }
  return [...byVersion(upgraded).map((group) => works(sentenceOf(group, show))), ...found]
}

const sentenceOfMigrations = ({ file, pending }: Migrations, show: Show) =>
  t('The next start applies {named} to {file}.', { named: shortList(pending), file: show(file) })

/** Migrations to apply; undefined if there are none. Other checks report other problems of the database. */
async function migrationsOf({ config, database }: Site): Promise<Migrations | undefined> {
  const where = databaseOf(config)
  if (where.kind !== 'sqlite' || !existsSync(where.file)) return undefined
  const opened = await database()
  if ('failure' in opened) return undefined
  const { it: db } = opened
  if (!(await shapeOf(db)).has(MIGRATIONS) || (await unknownMigrations(db)).length > 0)
    return undefined
  const pending = await pendingMigrations(db)
  return pending.length > 0 ? { file: where.file, pending } : undefined
}

async function tryMigrations(migrations: Migrations, copies: string, show: Show): Promise<Finding> {
  const name = show(migrations.file)
  try {
    const copied = await withCopy(migrations.file, copies, async (file) => {
      const db = openDb({ kind: 'sqlite', file })
      try {
        await prepareDatabase(db)
      } finally {
        await db.destroy()
      }
    })
    return copied ? works(sentenceOfMigrations(migrations, show)) : beingWritten(name)
  } catch (e) {
    return failed(name, e)
  }
}
