/** Lets others have their turn, if it is time: a screen must answer while much is compared. */
export type Pause = () => Promise<void> | undefined
