import { membersOf } from './records.ts'

/** True if the query asks for lines of JSON instead of CSV. */
export const wantsJsonLines = (query: unknown) => membersOf(query).format === 'ndjson'

/** The file name of the response to this query. */
export const fileName = (e: { file?: string }, query: unknown) =>
  wantsJsonLines(query) ? e.file?.replace(/csv$/, 'ndjson') : e.file
