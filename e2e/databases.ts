type Database = 'sqlite' | 'mysql'

/** Databases available on this machine. SQLite always is. */
const AVAILABLE: Database[] = process.env.TEST_MYSQL_URL ? ['sqlite', 'mysql'] : ['sqlite']

/**
 * The database each story runs on. Both, if the story is about the database itself: what it keeps when processes are
 * killed, share it, restart or restore it, and what the platform's components read from it. How the databases differ
 * is proved by the server's own tests, which run on both. So every other story runs on one: MariaDB with Redis, as in
 * larger installations, or SQLite alone.
 */
const STORIES = {
  accounts: 'mysql',
  alerts: 'mysql',
  applications: 'sqlite',
  backup: 'both',
  'billing-killed': 'both',
  bulk: 'mysql',
  'call-cases': 'sqlite',
  'call-scores': 'sqlite',
  captures: 'sqlite',
  carriers: 'sqlite',
  clients: 'mysql',
  'compare-calls': 'sqlite',
  configuration: 'mysql',
  conversation: 'sqlite',
  csv: 'mysql',
  durability: 'both',
  history: 'mysql',
  live: 'mysql',
  'model-sessions': 'mysql',
  numbers: 'mysql',
  provision: 'both',
  'recent-calls': 'mysql',
  recordings: 'sqlite',
  'register-by-email': 'mysql',
  'register-with-oauth': 'mysql',
  replay: 'sqlite',
  'rolling-restart': 'both',
  routing: 'mysql',
  'search-said': 'sqlite',
  settings: 'mysql',
  simulator: 'mysql',
  'single-sign-on': 'mysql',
  speech: 'sqlite',
  subscription: 'mysql',
  'simulated-callers': 'sqlite',
  'system-health': 'mysql',
  template: 'both',
  tracing: 'sqlite',
  transcribe: 'sqlite',
  'transcript-settings': 'mysql',
  'try-it': 'sqlite',
  'two-processes': 'both',
  undo: 'mysql',
  voice: 'sqlite',
} satisfies Record<string, Database | 'both'>

export const databasesFor = (story: keyof typeof STORIES): Database[] => {
  const where = STORIES[story]
  // without MariaDB every story runs on SQLite
  return where === 'both'
    ? AVAILABLE
    : AVAILABLE.filter((d) => d === where || AVAILABLE.length === 1)
}
