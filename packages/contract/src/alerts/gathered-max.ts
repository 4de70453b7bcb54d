/** The most alerts that are gathered, the newest first. */
export const GATHERED_MAX = 5_000
