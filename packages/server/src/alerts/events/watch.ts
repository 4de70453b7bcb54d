import * as watches from '../../db/watch.ts'

export type Lease = watches.Lease<'switchroom_event_watch'>

/** Of whoever gathers events. */
export const watch = watches.watchOf('switchroom_event_watch')
export const BEGUN = { seq: 0, audit_seq: 0, read_until: 0, late_slice: 0 }
