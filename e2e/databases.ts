type Database = 'sqlite' | 'mysql'

/** The databases there are here. The embedded one always is. */
const THERE: Database[] = process.env.TEST_MYSQL_URL ? ['sqlite', 'mysql'] : ['sqlite']

/**
 * Where a story runs. The server's own tests run on both databases, all of them; a story that is about what is
 * stored does as well, and one that is about a screen, a store of calls or a vendor runs on the one beside its
 * name: on MariaDB with a Redis, as larger installations are, or on SQLite with nothing else.
 */
const STORIES = {
  accounts: 'both',
  alerts: 'mysql',
  applications: 'sqlite',
  'billing-killed': 'both',
  captures: 'sqlite',
  carriers: 'both',
  clients: 'mysql',
  durability: 'both',
  live: 'mysql',
  numbers: 'both',
  provision: 'both',
  'recent-calls': 'mysql',
  recordings: 'sqlite',
  'register-by-mail': 'both',
  'register-elsewhere': 'mysql',
  routing: 'mysql',
  settings: 'mysql',
  simulator: 'mysql',
  speech: 'sqlite',
  subscription: 'both',
  tracing: 'sqlite',
} satisfies Record<string, Database | 'both'>

export const databasesOf = (story: keyof typeof STORIES): Database[] => {
  const where = STORIES[story]
  // without MariaDB everything runs on what there is
  return where === 'both' ? THERE : THERE.filter((d) => d === where || THERE.length === 1)
}
