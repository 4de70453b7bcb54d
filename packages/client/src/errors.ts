import type { ErrorBody, ErrorCode, Issue, Usage } from '@switchroom/contract'

/** Base class of the errors that this client throws. */
export class SwitchroomError extends Error {
  override name = 'SwitchroomError'
}

/** Thrown when there was no answer, or it was cut off. */
export class Unreachable extends SwitchroomError {
  override name = 'Unreachable'
}

/** Thrown when the server has no such endpoint: it is older or newer than this client, or runs as another variant. */
export class NotSupported extends SwitchroomError {
  override name = 'NotSupported'
  /** Command, such as `phoneNumbers.updateMany`. */
  command: string
  constructor(command: string) {
    super(`This server has no ${command}. Use a client of its version.`)
    this.command = command
  }
}

/** Thrown when the server refused a request. */
export class ApiError extends SwitchroomError {
  override name = 'ApiError'
  status: number
  code: ErrorCode
  /** The request in the server's log; empty if it names none. */
  requestId: string
  /** Errors by field. */
  issues: Issue[]
  /** Seconds to wait before the request makes sense again. */
  retryAfter: number | undefined
  /** The answer's body as received. */
  body: ErrorBody
  constructor(status: number, body: ErrorBody, retryAfter?: number) {
    super(body.msg)
    this.status = status
    this.code = body.code
    this.requestId = body.request_id
    this.issues = body.issues
    this.retryAfter = retryAfter
    this.body = body
  }
  /** The first field at fault, such as `sip_gateways.0.ipv4`. */
  get field(): string | undefined {
    return this.issues[0]?.path.join('.') || undefined
  }
}

/** 400: `issues` names the fields. */
export class InvalidRequest extends ApiError {
  override name = 'InvalidRequest'
}
/** 401: no valid API key or session. */
export class Unauthenticated extends ApiError {
  override name = 'Unauthenticated'
}
/** 403: the caller lacks permission. */
export class Forbidden extends ApiError {
  override name = 'Forbidden'
}
/** 404: not found, or not visible to the caller. */
export class NotFound extends ApiError {
  override name = 'NotFound'
}
/** 409: changed by someone else since it was read. */
export class Changed extends ApiError {
  override name = 'Changed'
  /** The current state. */
  get current(): unknown {
    return this.body.current
  }
}
/** 422: already taken, or in conflict with what is stored. */
export class Conflict extends ApiError {
  override name = 'Conflict'
}
/** 422: cannot be deleted while it is in use. */
export class InUse extends ApiError {
  override name = 'InUse'
  get usedBy(): Usage[] {
    return this.body.used_by ?? []
  }
}
/** 429: `retryAfter` says when to try again. */
export class TooMany extends ApiError {
  override name = 'TooMany'
}
/** 503: the database or a store is unavailable. */
export class Unavailable extends ApiError {
  override name = 'Unavailable'
}

const CLASSES: Partial<Record<ErrorCode, typeof ApiError>> = {
  invalid: InvalidRequest,
  unauthenticated: Unauthenticated,
  forbidden: Forbidden,
  not_found: NotFound,
  changed: Changed,
  conflict: Conflict,
  in_use: InUse,
  too_many: TooMany,
  unavailable: Unavailable,
  store_timeout: Unavailable,
}

/** Makes the error of an answer. */
export const refusal = (status: number, body: ErrorBody, retryAfter?: number) =>
  new (CLASSES[body.code] ?? ApiError)(status, body, retryAfter)
