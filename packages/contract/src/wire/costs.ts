/** Work of which each tenant runs only a few requests at once, so that others need not wait for it. */
export const COSTS = [
  'searches',
  'lists',
  'exports',
  'imports',
  'changes',
  'figures',
  'simulations',
  'comparisons',
] as const
export type Cost = (typeof COSTS)[number]
