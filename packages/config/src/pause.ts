/** Lets other tasks run, if it is time: a screen must respond while much is compared. */
export type Pause = () => Promise<void> | undefined
