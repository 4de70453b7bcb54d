/**
 * Preloaded into a server to move its clock ahead, so that stories need not wait for minutes:
 * `node --import ./e2e/clock-offset.ts`. Timers are not affected.
 */
const offset = Number(process.env.CLOCK_OFFSET_MS)
const now = Date.now.bind(Date)

globalThis.Date = class extends Date {
  constructor(...args: [] | [number | string | Date]) {
    if (args.length === 0) super(now() + offset)
    else super(...args)
  }
  static override now() {
    return now() + offset
  }
} as DateConstructor // a class cannot be called without `new`; nothing here does
