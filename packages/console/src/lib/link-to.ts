/** A URL put together at run time, which the router's types take only as a plain string. */
export const linkTo = (address: string): string => address

/** The link to an account's form. */
export const accountLink = (account_sid: string) =>
  ({ to: '/internal/accounts/$account_sid/edit', params: { account_sid } }) as const
