import type { ApiError } from '@switchroom/contract'
import { PartlySaved } from './partly-saved'
import { UNREACHABLE } from './session'
import { Unreachable } from './transport'

// by name and not by class: the class brings the contract's schemas along
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === 'ApiError'

/** What was added is there, so adding it again would be refused. `unsaved`: why not all of it is saved. */
export type Created = { sid: string; unsaved?: string }

/** A screen whose script could not be fetched: the server is gone, or has a newer console by now. */
export const isMissingScript = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|module script|preload css/i.test(error.message)

/** The sentence of a refusal is for programs where it names its inputs: what is wrong with each is for people. */
const refusalText = ({ message, body }: ApiError) =>
  [...new Set(body.issues.map((issue) => issue.message))].join('. ') || message

/** What to tell a person about anything that was thrown. */
export function messageOf(error: unknown) {
  if (isMissingScript(error)) return UNREACHABLE
  if (isRefusal(error)) return refusalText(error)
  return error instanceof Unreachable || error instanceof PartlySaved
    ? error.message
    : 'Something went wrong, please try again'
}

/** For whoever reads the server's log. */
export const requestIdOf = (error: unknown) =>
  isRefusal(error) ? error.body.request_id || undefined : undefined

export const statusOf = (error: unknown) => (isRefusal(error) ? error.status : undefined)

/** What is wrong with one input, when the refusal names it. */
export const issueOn = (error: unknown, field: string) =>
  isRefusal(error) ? error.body.issues.find((i) => i.path[0] === field)?.message : undefined

/** What stands in the way of a deletion. */
export const usedBy = (error: unknown) => (isRefusal(error) ? error.body.used_by : undefined)
