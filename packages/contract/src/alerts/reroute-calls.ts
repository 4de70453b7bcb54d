/** The fewest calls that tell whether a carrier completes them. */
export const REROUTE_CALLS = 5
