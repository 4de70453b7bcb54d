import { parseSearch } from './list-search'

/** An address put together at run time, as the router takes it: a path as plain text, and what is searched apart. */
export function linkTo(address: string) {
  const [to = '', search] = address.split('?', 2)
  return { to, ...(search !== undefined && { search: parseSearch(search) }) }
}

/** The link to an account's form. */
export const accountLink = (account_sid: string) =>
  ({ to: '/internal/accounts/$account_sid/edit', params: { account_sid } }) as const
