/** Amounts are cents on the wire and in every sum; only what is shown is not. */
export const money = (cents: number, currency = 'usd') =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
