import { plainError } from '@switchroom/contract'
import type { Kind } from './kinds.ts'
import { bodyFrom, endpointOf, type Thing } from './read.ts'
import {
  defaultOf,
  type Members,
  mapped,
  membersOfKind,
  membersOfRow,
  type Schema,
} from './shapes.ts'

export const bodyOf = (kind: Kind) => endpointOf(kind.group, bodyFrom(kind)).body as Schema

/** True if a thing stays the same when it moves to another account. */
export const hasAccount = ({ isNameGlobal, isUpdateOnly, file }: Kind) =>
  isNameGlobal === true && !isUpdateOnly && file !== 'accounts'

/** Members of a thing as they are stored. */
export function storedMembers({ kind, row }: Thing): Members {
  return {
    ...membersOfRow(kind, bodyOf(kind), row),
    ...(hasAccount(kind) && { account_sid: row.account_sid ?? null }),
  }
}

/** A thing of which nothing is said. */
export const defaultMembers = (kind: Kind, wanted: Members): Members =>
  mapped(membersOfKind(kind, bodyOf(kind), wanted), (schema, name) =>
    memberDefault(kind, name, schema as Schema),
  )

/** Value of a member that a file leaves out; undefined if it stays unchanged. */
export function memberDefault(kind: Kind, name: string, schema: Schema) {
  const usual = kind.defaults?.[name] ?? defaultOf(schema)
  if (usual !== undefined) return usual
  if (name === 'limits') return {}
  return schema.safeParse(null).success ? null : undefined
}

/** Options that give issues the server's own messages. */
export const PLAIN = { error: plainError }

type Issue = { path: PropertyKey[]; message: string }
/** The members of a thing by their schemas, each by itself. */
export function parsedMembers(schemas: Record<string, Schema>, sent: Members) {
  const issues: Issue[] = []
  const data = mapped(sent, (value, name) => {
    const { data, error } = schemas[name]!.safeParse(value, PLAIN)
    for (const { path, message } of error?.issues ?? [])
      issues.push({ path: [name, ...path], message })
    return data
  })
  return { data, error: issues.length > 0 ? { issues } : undefined }
}
