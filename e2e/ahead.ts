/**
 * Loaded into a server whose clock a story has set ahead, so that nobody waits for what takes minutes:
 * `node --import ./e2e/ahead.ts`. Timers run as they do.
 */
const ahead = Number(process.env.AHEAD_MS)
const now = Date.now.bind(Date)

globalThis.Date = class extends Date {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(now() + ahead)
    else super(...given)
  }
  static override now() {
    return now() + ahead
  }
} as DateConstructor // a class cannot be called without `new`, and nobody does
