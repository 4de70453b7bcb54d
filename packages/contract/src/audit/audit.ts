import { z } from 'zod'
import { ROLES } from '../wire/claims.ts'
import { listQuery, pageOf, Sid } from '../wire/common.ts'
import { endpoints, lists } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, StringOrNull } from '../wire/fields.ts'
import { fileColumns } from '../wire/file-columns.ts'
import { keysOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'
import { AUDIT_ACTIONS, AUDIT_KINDS } from './audit-kinds.ts'

const KINDS = keysOf(AUDIT_KINDS)
const ACTIONS = keysOf(AUDIT_ACTIONS)

/** Fields of a subject as its single read has them. Secrets are always masked. */
const Values = z.record(z.string(), z.unknown()).nullable()

/** Stands for a secret that was changed. */
export const MASK_CHANGED = t('•••••••• (changed)')

export const AuditEntry = z.object({
  /** The position in the log, starting at 1. */
  seq: Integer,
  at: z.string(),
  request_id: z.string(),
  /** Null for an API key. */
  user_sid: StringOrNull,
  api_key_sid: StringOrNull,
  /** The name of the user or key at that time. */
  actor: z.string(),
  actor_scope: z.enum(ROLES),
  /** Null if the actor's scope is above the reader's. */
  ip: StringOrNull,
  action: z.enum(ACTIONS),
  kind: z.enum(KINDS),
  sid: z.string(),
  name: z.string(),
  service_provider_sid: StringOrNull,
  account_sid: StringOrNull,
  /**
   * The fields of an entry; for an update, only the changed ones. `before` is null for an addition, `after` for a
   * deletion.
   */
  before: Values,
  after: Values,
  /** The entry that this change has undone. */
  undoes: IntegerOrNull,
  /** Hash of this entry and the previous entry's hash. */
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** State of a thing at a time, as far as the log tells. */
export const AuditState = z.object({
  /** Null if the log does not reach back to that time, and nothing later tells. */
  existed: z.boolean().nullable(),
  /** Known fields. Secrets are masked. */
  values: z.record(z.string(), z.unknown()),
  /** True if all fields are known. Fields that have not changed since the log began are in no entry. */
  complete: z.boolean(),
  /** Time of the first entry that was read: the log's first, unless there are more than 1,000. */
  known_since: z.string(),
  /** The entries before, or at, and after that time. */
  previous: AuditEntry.nullable(),
  next: AuditEntry.nullable(),
})
export type AuditState = z.infer<typeof AuditState>

const TIME = t('Enter a date or a time, such as 2026-01-31 or 2026-01-31T09:30:00Z')
/** A UTC day, or a time in any zone. */
const time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], TIME)
  .transform((text) => (text.length > 10 ? new Date(text).toISOString() : text))
const filters = {
  kind: z.enum(KINDS).optional(),
  action: z.enum(ACTIONS).optional(),
  account_sid: Sid.optional(),
  service_provider_sid: Sid.optional(),
  user_sid: Sid.optional(),
  /** The subject's sid. */
  sid: z.string().max(64).optional(),
  /** Both inclusive: a day with all of its times. */
  from: time.optional(),
  to: time.optional(),
}

/** The columns of a file of the audit log, in their order. */
export const AUDIT_COLUMNS = [
  'seq',
  'at',
  'actor',
  'actor_scope',
  'ip',
  'action',
  'kind',
  'name',
  'sid',
  'account_sid',
  'service_provider_sid',
  'user_sid',
  'api_key_sid',
  'request_id',
  'before',
  'after',
  'undoes',
  'hash',
] as const

export const audit = endpoints({
  list: {
    path: '/AuditLog',
    access: 'account',
    ...lists,
    summary: 'List audit log entries, newest first',
    own: true,
    query: listQuery('seq').extend({
      ...filters,
      /** Returns only the entry at this position. */
      seq: z.coerce
        .number()
        .int()
        .min(1)
        .max(2 ** 31 - 1)
        .optional(),
    }),
    response: pageOf(AuditEntry),
  },
  state: {
    path: '/AuditLog/State',
    access: 'account',
    method: 'GET',
    summary: 'Get the state of a thing at a time, from its audit log entries',
    own: true,
    query: z.object({
      kind: z.enum(KINDS),
      sid: z.string().min(1).max(64),
      /** ISO 8601, such as 2026-01-31T12:00:00Z. */
      at: z.iso.datetime({ offset: true, error: t('Enter a time, such as 2026-01-31T00:00:00Z') }),
    }),
    response: AuditState,
  },
  export: {
    path: '/AuditLog/Export',
    access: 'account',
    method: 'GET',
    summary: 'Export the audit log as CSV',
    own: true,
    file: 'audit-log.csv',
    query: z.object({
      filter: z.string().trim().max(100).optional(),
      ...filters,
      ...fileColumns(AUDIT_COLUMNS),
    }),
    response: z.string(),
  },
})
