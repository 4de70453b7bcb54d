import { table as described } from '../describe.ts'
import type { Row } from './rows.ts'

/** Every command by group and name, as the API has them. The build replaces this module by its value (build.ts). */
export const table: Record<string, Record<string, Row>> = described
