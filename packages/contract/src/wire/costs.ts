import { t } from './text.ts'

/**
 * Work of which each tenant runs only a few requests at once, so that others need not wait for it: its name, and what
 * the server does meanwhile.
 */
export const COSTS = {
  searches: { label: t('Searches'), doing: t('searching') },
  lists: { label: t('Whole lists'), doing: t('reading whole lists') },
  exports: { label: t('Exports'), doing: t('exporting') },
  imports: { label: t('Imports'), doing: t('importing') },
  changes: { label: t('Changes of many rows'), doing: t('changing many rows') },
  figures: { label: t('Statistics'), doing: t('reading statistics') },
  simulations: { label: t('Route simulations'), doing: t('simulating routes') },
  comparisons: { label: t('Comparisons of routes'), doing: t('comparing other routes') },
} as const
export type Cost = keyof typeof COSTS
