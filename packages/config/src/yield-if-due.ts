/** Yields to the event loop when enough time has passed, so that the screen responds during a long comparison. */
export type YieldIfDue = () => Promise<void> | undefined
