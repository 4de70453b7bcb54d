import { type ApiError, fromServer, t } from '@switchroom/contract'
import { PartlySaved } from './partly-saved'
import { UNREACHABLE } from './session'
import { Unreachable } from './transport'

// checked by name, since importing the class would bring in the contract's schemas
const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === 'ApiError'

/** A resource that was created. `unsaved`: why parts of it could not be saved. */
export type Created = { sid: string; unsaved?: string }

/** True if a screen's chunk could not be loaded: the server is down, or has been updated. */
export const isMissingScript = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|module script|preload css/i.test(error.message)

/** If an error has issues, its own message is for API clients; the issues' messages are for users. */
const apiErrorText = ({ message, body }: ApiError) =>
  [...new Set(body.issues.map((issue) => fromServer(issue.message)))].join('. ') ||
  fromServer(message)

/** A message for the user about anything that was thrown. */
export function messageOf(error: unknown) {
  if (isMissingScript(error)) return UNREACHABLE
  if (isApiError(error)) return apiErrorText(error)
  return error instanceof Unreachable || error instanceof PartlySaved
    ? error.message
    : t('Something went wrong, please try again')
}

/** Ready for another sentence after it. */
export function sentenceOf(error: unknown) {
  const message = messageOf(error)
  return /[.!?…]$/.test(message) ? message : `${message}.`
}

/** The request's id in the server's log. */
export const requestIdOf = (error: unknown) =>
  isApiError(error) ? error.body.request_id || undefined : undefined

export const statusOf = (error: unknown) => (isApiError(error) ? error.status : undefined)

/** True if a read found nothing. The server answers 400 to text that cannot be a sid. */
export const isNotFound = (error: unknown) => [400, 404].includes(statusOf(error) ?? 0)

const issueText = (issue: { message: string } | undefined) => issue && fromServer(issue.message)

/** The error's message about one input, or about what is in it, if it has one. */
export const issueOn = (error: unknown, ...field: string[]) =>
  isApiError(error)
    ? issueText(error.body.issues.find((i) => field.every((part, n) => i.path[n] === part)))
    : undefined

/** How a log-in goes on whose first step is done. */
export const secondFactorOf = (error: unknown) =>
  isApiError(error) ? error.body.second_factor : undefined

/** Resources that still use the one to be deleted. */
export const usedBy = (error: unknown) => (isApiError(error) ? error.body.used_by : undefined)
