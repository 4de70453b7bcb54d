/** What things are called: one, and several of them. */
export type Noun = { one: string; many: string }

/** "1 phone number", "2,000 phone numbers" */
export const countText = (n: number, { one, many }: Noun) =>
  n === 1 ? `1 ${one}` : `${n.toLocaleString()} ${many}`

export const NOUNS = {
  phoneNumber: { one: 'phone number', many: 'phone numbers' },
  carrier: { one: 'carrier', many: 'carriers' },
  client: { one: 'SIP client', many: 'SIP clients' },
  user: { one: 'user', many: 'users' },
} satisfies Record<string, Noun>
