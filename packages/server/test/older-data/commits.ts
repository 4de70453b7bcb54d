/**
 * Commits of the main branch that changed the format of a data folder, oldest first, with the last ones before some.
 * Add one when a format changes: `npm run trust` upgrades from all of them.
 */
export const COMMITS = {
  '19077234': 'the first day files of call records',
  '23bc56dd': 'indexes of their counters',
  '9ca6964e': 'the first traces',
  df4a48e4: 'the first SIP captures and recordings',
  '9ef33350': 'the last text index of chunks and trigrams',
  b5c8bac4: 'a text index of SQLite',
  '9bbaea1b': 'the last counters without times to answer',
  '4868f9e5': 'counters with times to answer',
  e705f90f: 'the last traces without arrivals',
  '1f895434': 'arrivals of traces, and figures of conversations',
  c9958942: 'what was said in conversations',
} as const

/** Those whose data folders are in this folder, as `npm run older-data -- --pack` wrote them. */
export const PACKED = ['9ef33350', '9bbaea1b', '1f895434'] as const
