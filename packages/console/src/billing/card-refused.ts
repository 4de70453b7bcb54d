import { CARD_REFUSED } from '@switchroom/contract'

/** The provider did not take a card or a payment. Its words are for the person. */
export class CardRefused extends Error {
  override name = 'CardRefused'
  constructor(reason: string | undefined) {
    super(reason || CARD_REFUSED)
  }
}
