import { ApiError, Changed } from '@switchroom/client'
import { fromServer, isRecord, MASK, t } from '@switchroom/contract'
import { type Change, differing } from './plan.ts'
import { sentence } from './problem.ts'
import { bodyFrom, endpointOf } from './read.ts'
import { type Members, membersOfRow, type Schema, written } from './shapes.ts'

/** Thrown when a thing was changed since the plan was made. */
export class Outdated extends Error {
  override name = 'Outdated'
}
/** Thrown when a change was refused. `cause` is the error of the API. */
export class Refused extends Error {
  override name = 'Refused'
}

export async function digest(text: string) {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function refuseChanged(change: Change, base: Members, now: Members) {
  const found = [...differing(change.kind, base, now), ...differing(change.kind, now, base)].filter(
    // a list has masks where a single read has not
    ({ from, to }) => !isMask(from) && !isMask(to),
  )
  if (found.length > 0)
    throw outdated(
      change,
      found.map(({ path }) => path.map(written).join('.')),
    )
}

const isMask = (value: unknown) => typeof value === 'string' && value.includes(MASK)

const titleOf = ({ kind, name }: Change) => (name === '' ? kind.file : `${kind.file} "${name}"`)

const outdated = (change: Change, members: string[]) =>
  new Outdated(
    t('{thing} was changed meanwhile: {members}. Plan again to see what is left to do.', {
      thing: titleOf(change),
      members: [...new Set(members)].join(', '),
    }),
  )

export function refused(change: Change, error: unknown) {
  if (error instanceof Changed) {
    const body = endpointOf(change.kind.group, bodyFrom(change.kind)).body as Schema
    const now = isRecord(error.current) ? membersOfRow(change.kind, body, error.current) : {}
    return outdated(
      change,
      differing(change.kind, change.base ?? {}, now).map(({ path }) => path.map(written).join('.')),
    )
  }
  if (!(error instanceof ApiError)) return error
  const { placeOf } = change
  const issue = error.issues[0]
  const text = `${titleOf(change)}: ${fromServer(error.message)}`
  const said = placeOf ? sentence(placeOf(issue?.path ?? []), text) : text
  return new Refused(said, { cause: error })
}
