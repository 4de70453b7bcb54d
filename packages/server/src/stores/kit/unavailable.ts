/** A store that is not available. The message is for users; the API responds 503 with it. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** A store that timed out, so that an immediate retry would hang as well. */
export class StoreTimeout extends StoreUnavailable {
  override name = 'StoreTimeout'
}

/** It answers with more than is taken. */
export class StoreAnswerTooLarge extends StoreUnavailable {
  override name = 'StoreAnswerTooLarge'
}
