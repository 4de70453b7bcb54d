import type { ApiError } from '@switchroom/contract'
import { Unreachable } from './transport'

// by name and not by class: the class brings the contract's schemas along
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === 'ApiError'

/** What to tell a person about anything that was thrown. */
export const messageOf = (error: unknown) =>
  isRefusal(error) || error instanceof Unreachable
    ? error.message
    : 'Something went wrong, please try again'

/** For whoever reads the server's log. */
export const requestIdOf = (error: unknown) =>
  isRefusal(error) ? error.body.request_id || undefined : undefined

export const statusOf = (error: unknown) => (isRefusal(error) ? error.status : undefined)

/** What stands in the way of a deletion. */
export const usedBy = (error: unknown) => (isRefusal(error) ? error.body.used_by : undefined)
