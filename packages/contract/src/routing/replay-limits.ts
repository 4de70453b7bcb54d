/** The most carriers whose deactivation is replayed together. */
export const REPLAYED_CARRIERS_MAX = 100
