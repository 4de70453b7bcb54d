/** The server cannot start. The message is for the operator: a sentence that names the variable. */
export class CannotStart extends Error {
  override name = 'CannotStart'
  /** 2: the configuration has to be changed. 1: something else is down, and a later start may succeed. */
  readonly status: 1 | 2

  constructor(message: string, { status = 2, cause }: { status?: 1 | 2; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}
