import * as watches from '../../db/watch.ts'

export type Lease = watches.Lease<'switchroom_call_watch'>

/** Of whoever counts calls. */
export const watch = watches.watchOf('switchroom_call_watch', { isSynced: false })
