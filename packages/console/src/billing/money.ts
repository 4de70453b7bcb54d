/** Amounts are cents on the wire and in every sum; only what is shown is not. */
export const money = (cents: number, currency = 'usd') =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: '2-digit', year: 'numeric' })
export const dayOf = (at: Date) => day.format(at)
