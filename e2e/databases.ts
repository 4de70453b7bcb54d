type Database = 'sqlite' | 'mysql'

/** Databases available on this machine. SQLite always is. */
const AVAILABLE: Database[] = process.env.TEST_MYSQL_URL ? ['sqlite', 'mysql'] : ['sqlite']

/**
 * Which database each story runs on. Server tests run on both. A story about stored data runs on both as
 * well. One about a screen, a call store or a vendor runs on one: MariaDB with Redis, as in larger
 * installations, or SQLite alone.
 */
const STORIES = {
  accounts: 'both',
  alerts: 'mysql',
  applications: 'sqlite',
  backup: 'both',
  'billing-killed': 'both',
  bulk: 'both',
  captures: 'sqlite',
  carriers: 'both',
  clients: 'mysql',
  'compare-calls': 'sqlite',
  conversation: 'sqlite',
  csv: 'both',
  durability: 'both',
  history: 'both',
  live: 'mysql',
  numbers: 'both',
  provision: 'both',
  'recent-calls': 'mysql',
  recordings: 'sqlite',
  'register-by-email': 'both',
  'register-with-oauth': 'mysql',
  replay: 'both',
  'rolling-restart': 'both',
  routing: 'mysql',
  'search-said': 'both',
  settings: 'mysql',
  simulator: 'mysql',
  'single-sign-on': 'mysql',
  speech: 'sqlite',
  subscription: 'both',
  'system-health': 'mysql',
  tracing: 'sqlite',
  transcribe: 'both',
  'transcript-settings': 'both',
  'try-it': 'both',
  'two-processes': 'both',
  undo: 'both',
  voice: 'both',
} satisfies Record<string, Database | 'both'>

export const databasesFor = (story: keyof typeof STORIES): Database[] => {
  const where = STORIES[story]
  // without MariaDB every story runs on SQLite
  return where === 'both'
    ? AVAILABLE
    : AVAILABLE.filter((d) => d === where || AVAILABLE.length === 1)
}
