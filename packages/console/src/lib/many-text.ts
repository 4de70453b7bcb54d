import { plural } from '@switchroom/contract'

/** So many of a thing: "1 phone number", "2,000 phone numbers" */
export type Noun = (n: number) => string

export const NOUNS = {
  phoneNumber: (n) => plural(n, '1 phone number|{n} phone numbers'),
  number: (n) => plural(n, '1 number|{n} numbers'),
  carrier: (n) => plural(n, '1 carrier|{n} carriers'),
  client: (n) => plural(n, '1 SIP client|{n} SIP clients'),
  user: (n) => plural(n, '1 user|{n} users'),
} satisfies Record<string, Noun>
