import { t } from '@switchroom/contract'

/** The line in a JSON parser's message. Browsers give a position, a line, or nothing. */
function lineOf(text: string, message: string): number | undefined {
  const line = /line (\d+)/.exec(message)
  if (line) return Number(line[1])
  const position = /position (\d+)/.exec(message)
  if (position) return text.slice(0, Number(position[1])).split('\n').length
  return /end of|unterminated/i.test(message) ? text.trimEnd().split('\n').length : undefined
}

/** Why this is not a JSON object, with the line; undefined if it is one, or empty. */
export function jsonProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject
      ? undefined
      : t('Enter a JSON object, such as {example}', { example: '{ "key": "value" }' })
  } catch (error) {
    const line = lineOf(text, error instanceof Error ? error.message : '')
    return line === undefined ? t('Not valid JSON') : t('Not valid JSON, at line {line}', { line })
  }
}

export const prettyJson = (text: string) => JSON.stringify(JSON.parse(text), null, 2)
