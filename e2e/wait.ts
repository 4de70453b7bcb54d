import { setTimeout } from 'node:timers/promises'

const INTERVAL_MS = 20
/** Five minutes, and more on a busy machine: only what never comes ends here. */
const TRIES = 15_000

/**
 * Waits until this is so. Throws what `failure` says if it never is. The only place of the stories that lets real time
 * pass, because other processes tell of nothing: everything else waits for a page, an answer or an event.
 */
export async function until(isSo: () => boolean | Promise<boolean>, failure: () => string) {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries === TRIES) throw new Error(failure())
    await setTimeout(INTERVAL_MS)
  }
}

/** For stories of chance, such as when a process is killed: nothing that is expected may depend on how long it takes. */
export const pause = (ms: number) => setTimeout(ms)
