import { CARD_REFUSED } from '@switchroom/contract'

/** Stripe declined a card or a payment. Its message is meant for the user. */
export class CardRefused extends Error {
  override name = 'CardRefused'
  constructor(reason: string | undefined) {
    super(reason || CARD_REFUSED)
  }
}
