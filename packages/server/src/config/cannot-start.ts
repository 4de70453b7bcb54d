import { errorCode } from '../errors/members.ts'
/** Thrown when the server cannot start. The message names the variable, for the operator. */
export class CannotStart extends Error {
  override name = 'CannotStart'
  /** 2: the configuration must change. 1: something is down, and a later start may succeed. */
  readonly status: 1 | 2

  constructor(message: string, { status = 2, cause }: { status?: 1 | 2; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'there is a file of that name',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
}

/** Why the file system refused access, in words. */
export function fileReason(e: unknown) {
  const code = errorCode(e) ?? 'unknown reason'
  return REASONS[code] ?? code
}
