import { type VerdictOfThing, verdictOf } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Inbox } from './inbox.ts'

/**
 * Reads the inbox that a resource's state follows from: the caller's own, or its provider's. Each is
 * read once per answer.
 */
export type Inboxes = (service_provider_sid: string | null) => Promise<Inbox>

/** Returns the state of those of `sids` that the caller can see, in any order. */
export type StatusReader = (
  ctx: Context,
  scope: Scope,
  sids: string[],
  inboxes: Inboxes,
  now: number,
) => Promise<VerdictOfThing[]>

export const inactive = (reason: string) => verdictOf([], { state: 'inactive', reason })

export const uniqueNonNull = <T>(values: readonly (T | null)[]) => [
  ...new Set(values.filter((value) => value !== null)),
]
