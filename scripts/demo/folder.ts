import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Incident } from './incident.ts'
import type { World } from './world.ts'

/** Thrown for a folder that the demo must not touch. The message is for the person at the terminal. */
export class Refused extends Error {
  override name = 'Refused'
}

/** State of the demo's folder. The file marks the folder as the demo's. */
export type State = {
  about: string
  /** Id of the process that runs it; null when none does. */
  pid: number | null
  seed: string
  scale: number
  /** When it was made. */
  began: number
  password: string
  incidents: Incident[]
  /** Undefined until everything is made. */
  filled?: {
    world: World
    /** Only reads. */
    api_key: string
    /** All calls that ended before this are stored. */
    until: number
    /**
     * Addresses of the receiver of alerts and of the application that can be tried: other programs may have the usual
     * ports.
     */
    reached?: Reached
  }
}

export type Reached = { alerts: string; tried: string }

const MARK = 'switchroom-demo.json'
const ABOUT = 'This folder belongs to "npm run demo". "npm run demo -- remove" deletes it.'

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (e) {
    // the process of another user runs, too
    return (e as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The state of a demo that was made before; undefined for a folder that is empty or not there. */
function read(folder: string): State | undefined {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return undefined
  const file = join(folder, MARK)
  if (!existsSync(file))
    throw new Refused(
      `${folder} was not made by the demo, which touches no other folder. Use --folder for another one.`,
    )
  const state = JSON.parse(readFileSync(file, 'utf8')) as State
  if (state.pid !== null && state.pid !== process.pid && isRunning(state.pid))
    throw new Refused(`The demo in ${folder} is running (process ${state.pid}). Stop it first.`)
  return state
}

/** Opens the demo's folder, or makes it. One that was not filled completely begins anew. */
export function openFolder(folder: string, fresh: Omit<State, 'about' | 'pid'>) {
  const before = read(folder)
  const state: State = before?.filled ? before : { about: ABOUT, pid: null, ...fresh }
  if (before && !before.filled) remove(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const save = () => {
    const draft = join(folder, `${MARK}.new`)
    writeFileSync(draft, JSON.stringify(state, undefined, 1), { mode: 0o600 })
    renameSync(draft, join(folder, MARK))
  }
  state.pid = process.pid
  save()
  return {
    state,
    save,
    release() {
      state.pid = null
      save()
    },
  }
}

/** Deletes the demo's folder. Whether there was one. */
export function removeFolder(folder: string) {
  if (!read(folder)) return false
  remove(folder)
  return true
}

/** The mark goes last, so that a removal that was interrupted can be repeated. */
function remove(folder: string) {
  for (const name of readdirSync(folder))
    if (name !== MARK) rmSync(join(folder, name), { recursive: true })
  rmSync(folder, { recursive: true })
}
