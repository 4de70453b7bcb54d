import { plural } from './text.ts'

/** The label of a list's total. */
export const totalText = (n: number) => plural(n, 'Total: 1 record|Total: {n} records')
