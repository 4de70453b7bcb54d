import { askEvery } from './bench/endpoints.ts'

/** Tells the parent what every endpoint of the contract takes, on the database in `TEST_DATABASE`. */
process.send!(await askEvery(), () => process.exit(0))
