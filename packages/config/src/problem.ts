import { t } from '@switchroom/contract'

/** Position in the files. */
export type Place = { file: string; line: number }

/** A problem of the files: one sentence, with its place, and the variable if that is all that is missing. */
export type Problem = { text: string; file?: string; line?: number; variable?: string }

const SHOWN = 20

const lineOf = ({ file, line, text }: Problem) =>
  file === undefined ? text : `${file}${line === undefined ? '' : `:${line}`}: ${text}`

/** Problems of the files. The message has the first sentences, each with its place. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  problems: readonly Problem[]
  constructor(problems: readonly Problem[]) {
    const more = problems.length - SHOWN
    super(
      [
        ...problems.slice(0, SHOWN).map(lineOf),
        ...(more > 0 ? [t('and {total} more', { total: more })] : []),
      ].join('\n'),
    )
    this.problems = problems
  }
}

export const sentence = (place: Place, text: string) => lineOf({ ...place, text })

/** Problems as they are found. */
export class Problems {
  all: Problem[] = []
  at(place: Place, text: string, variable?: string) {
    this.all.push({ ...place, text, ...(variable !== undefined && { variable }) })
  }
}

export function refuse(problems: readonly Problem[]) {
  if (problems.length > 0) throw new ConfigError(problems)
}
