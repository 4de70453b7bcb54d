/** Where something is in the files. */
export type Place = { file: string; line: number }

/** What is wrong with files, one sentence each, with its place. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const SHOWN = 20

export const sentence = (place: Place | string, text: string) =>
  `${typeof place === 'string' ? place : `${place.file}:${place.line}`}: ${text}`

export function refuse(problems: readonly string[]) {
  if (problems.length === 0) return
  const more = problems.length - SHOWN
  throw new ConfigError(
    [...problems.slice(0, SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
  )
}
