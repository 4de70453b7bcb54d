import { parentPort, workerData } from 'node:worker_threads'
import { every } from '../../../live/every.ts'
import { failureLog } from '../../kit/failure-log.ts'
import { serveRequests } from '../../kit/ports.ts'
import { streams } from '../../kit/streams.ts'
import { restoreOnce } from '../../recover/at-start.ts'
import type { VoiceFilter } from '../store.ts'
import { Days, type DaysOptions } from './days.ts'

/** The thread that keeps and reads what conversations count for. */
const FORGET_EVERY_MS = 20_000

const options: DaysOptions = workerData
const days = new Days(options)
const expiry = failureLog('Expiry of figures of conversations')
let isClosing = false
const restoring = restoreOnce('voice', options.folder, () => isClosing).catch(expiry.failed)
const forgetting = every(
  FORGET_EVERY_MS,
  async () => {
    await days.forget()
    expiry.worked()
  },
  { onError: expiry.failed, atOnce: true },
)

serveRequests(parentPort!, {
  keep: days.keep.bind(days),
  addRecorded: days.addRecorded.bind(days),
  figures: days.figures.bind(days),
  list: days.list.bind(days),
  ...streams((filter: VoiceFilter) => days.each(filter)),
  forget: () => days.forget(),
  async close() {
    isClosing = true
    await restoring
    await forgetting.stop()
    days.close()
    setImmediate(() => process.exit(0))
  },
})
