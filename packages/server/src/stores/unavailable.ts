/** A store that cannot be asked just now. Its sentence is for users; the API answers 503 with it. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}
