import { z } from 'zod'
import { endpoints } from '../wire/endpoint.ts'
import { Integer, NumberOrNull, StringOrNull } from '../wire/fields.ts'

/** One try to make a scheduled backup, or one that an administrator asked for. */
export const BackupRun = z.object({
  began_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  state: z.enum(['running', 'done', 'failed']),
  /** Why it failed, or what is damaged in it. */
  sentence: StringOrNull,
  bytes: NumberOrNull,
})
export type BackupRun = z.infer<typeof BackupRun>

export const Backups = z.object({
  /** True if this server makes backups. */
  scheduled: z.boolean(),
  /** The folder they are written to. */
  folder: StringOrNull,
  /** Every day at a time of day of the server, or this many hours after the last one. */
  schedule: z.union([z.object({ at: z.string() }), z.object({ hours: Integer })]),
  next_at: z.iso.datetime().nullable(),
  keep: Integer,
  recordings: z.boolean(),
  /** True if backups include the database. Only the embedded one is included. */
  database: z.boolean(),
  /** Newest first. */
  runs: z.array(BackupRun),
  /** The verified backups in the folder, newest first. */
  files: z.array(z.object({ name: z.string(), at: z.iso.datetime(), bytes: z.number() })),
})
export type Backups = z.infer<typeof Backups>

export const backups = endpoints({
  view: {
    path: '/Backups',
    access: 'admin',
    method: 'GET',
    summary: 'List the backups that this server has made',
    own: true,
    response: Backups,
  },
  make: {
    path: '/Backups',
    access: 'admin',
    method: 'POST',
    summary: 'Make a backup now',
    own: true,
    status: 204,
    response: z.void(),
  },
})
