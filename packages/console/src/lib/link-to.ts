/** A URL put together at run time, which the router's types take only as a plain string. */
export const linkTo = (address: string): string => address
