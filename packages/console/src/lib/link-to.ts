/**
 * An address that is put together at run time. The router's types know the addresses of screens by their
 * letters; this one it takes as plain text.
 */
export const linkTo = (address: string): string => address
