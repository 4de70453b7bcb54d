import { t } from '@switchroom/contract'
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

/** A sentence that names the variables, as in `HTTP_PORT: nothing listens there.` */
export const naming = (variables: string, sentence: string) =>
  `${variables}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`

const REASONS: Record<string, string> = {
  ENOENT: t('it does not exist'),
  EACCES: t('permission denied'),
  EPERM: t('permission denied'),
  EISDIR: t('it is a folder'),
  ENOTDIR: t('a part of its path is not a folder'),
  EEXIST: t('there is a file of that name'),
  EROFS: t('the file system is read-only'),
  ENOSPC: t('the disk is full'),
  ENAMETOOLONG: t('its name is too long'),
}

/** Why the file system refused access, in words. */
export function fileReason(e: unknown) {
  const code = errorCode(e) ?? t('unknown reason')
  return REASONS[code] ?? code
}
