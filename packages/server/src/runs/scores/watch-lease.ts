import { type Lease, watchOf } from '../../db/watch.ts'

export type Watch = Lease<'switchroom_score_watch'>

/** The lease of the process that scores. */
export const watch = watchOf('switchroom_score_watch', { isSynced: false })
