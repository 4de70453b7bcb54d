import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second, whatever its own clock. */
const TICKS_PER_SECOND = 100

type Process = { parent: number; own: number; ended: number }

/** Undefined if there is no such process, or no Linux. */
function read(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the name, in brackets, may have spaces
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number)
    return {
      parent: Number(fields[1]),
      own: (user! + system!) / TICKS_PER_SECOND,
      ended: (endedUser! + endedSystem!) / TICKS_PER_SECOND,
    }
  } catch {
    return undefined
  }
}

/**
 * Processor time, user and system, in seconds, of a process with all its descendants, also those that have ended and
 * were waited for. Only Linux tells it; undefined elsewhere, or if the process is gone.
 */
export function processorSeconds(pid = process.pid): number | undefined {
  const root = read(pid)
  if (!root) return undefined
  const all = new Map<number, Process>()
  for (const name of readdirSync('/proc')) {
    const one = /^\d+$/.test(name) && read(Number(name))
    if (one) all.set(Number(name), one)
  }
  const family = new Set([pid])
  let seconds = root.own + root.ended
  // a process may have a lower number than its parent
  for (let grown = true; grown; ) {
    grown = false
    for (const [id, { parent, own, ended }] of all)
      if (family.has(parent) && !family.has(id)) {
        family.add(id)
        seconds += own + ended
        grown = true
      }
  }
  return seconds
}
