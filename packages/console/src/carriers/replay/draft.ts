import type { routeSimulations, Sent } from '../../lib/endpoints'

/** A routing table or carrier as it would be saved. */
export type ReplayDraft = Sent<typeof routeSimulations.replay>['body']
