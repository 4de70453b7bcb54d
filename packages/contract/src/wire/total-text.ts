/** The label of a list's total. */
export const totalText = (n: number) => `Total: ${n} ${n === 1 ? 'record' : 'records'}`
