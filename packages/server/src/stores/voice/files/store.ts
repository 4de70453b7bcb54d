import { type Call, t } from '@switchroom/contract'
import { streamed } from '../../kit/streams.ts'
import { storeThread } from '../../kit/worker.ts'
import type { VoiceStore } from '../store.ts'
import type { DaysOptions } from './days.ts'

/** Stores what conversations count for in local files, in a thread that starts when first needed. */
export function embeddedVoice(options: DaysOptions) {
  const thread = storeThread(new URL('./thread.ts', import.meta.url), {
    name: t('The store of figures of conversations'),
    workerData: options,
  })
  return {
    keep: async (calls) => (calls.length > 0 ? thread.ask('keep', calls) : undefined),
    async addRecorded(call, texts) {
      const { wordsOf } = await import('../../../talk/words.ts')
      await thread.ask('addRecorded', call, wordsOf(texts))
    },
    figures: async (owner, span, options) => thread.ask('figures', owner, span, options),
    list: async (filter, page) => thread.ask('list', filter, page),
    async *each(filter) {
      yield* streamed<Call>(thread.start().ask, filter)
    },
    /** Deletes expired records now. */
    forget: async (): Promise<void> => thread.ask('forget'),
    close: thread.close,
  } satisfies VoiceStore & Record<string, unknown>
}
