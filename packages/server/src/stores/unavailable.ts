/** A store that cannot be asked just now. Its sentence is for users; the API answers 503 with it. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** A store that hangs: whoever asked has already waited. */
export class StoreTimeout extends StoreUnavailable {
  override name = 'StoreTimeout'
}
