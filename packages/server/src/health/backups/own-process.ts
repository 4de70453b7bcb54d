import { setPriority } from 'node:os'
import { inWords } from './failure.ts'
import { type BackupJob, writeBackup } from './write.ts'

/** Time to remove what is not complete. */
const END_MS = 2_000

/**
 * Makes one backup in a process of its own: hashing, encrypting and checking must not slow calls of the API,
 * and their memory is given back. Ends with the server.
 */
const stop = new AbortController()
function end() {
  stop.abort()
  // what it waits for may never come, as from a network file system
  setTimeout(() => process.exit(1), END_MS)
}
process.once('disconnect', end)
process.once('SIGTERM', end)
process.once('message', async (job: BackupJob) => {
  try {
    setPriority(10)
  } catch {
    // not allowed everywhere, and not needed
  }
  const result = await writeBackup(job, stop.signal).then(
    (written) => ({ written }),
    (e: unknown) => ({ failed: inWords(e).message }),
  )
  if (process.connected) process.send!(result, () => process.exit(0))
  else process.exit(1)
})
