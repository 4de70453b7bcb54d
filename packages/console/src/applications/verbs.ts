import specs from '@jambonz/verb-specifications/specs.json'
import {
  NEWEST_PLATFORM,
  NOT_JSON,
  specsOf,
  t,
  type VerbSpecs,
  verbProblem,
} from '@switchroom/contract'
import {
  applyEdits,
  findNodeAtLocation,
  format,
  getNodeValue,
  type ParseError,
  parseTree,
} from 'jsonc-parser'

const STRICT_JSON = { disallowComments: true, allowTrailingComma: false }

function positionText(text: string, offset: number) {
  const lines = text.slice(0, offset).split('\n')
  return t('Line {line}, column {column}', {
    line: lines.length,
    column: lines.at(-1)!.length + 1,
  })
}

/** Why the platform would not run these verbs, and at which line and column. */
export function verbsProblem(text: string): string | undefined {
  if (text.trim() === '') return NOT_JSON
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, STRICT_JSON)
  if (!tree || errors[0])
    return t('{position}: not valid JSON', { position: positionText(text, errors[0]?.offset ?? 0) })
  // the platform's own file has more members than this reads; the server knows which version it is
  const problem = verbProblem(getNodeValue(tree), specsOf(specs as VerbSpecs, NEWEST_PLATFORM))
  if (!problem) return
  const node = findNodeAtLocation(tree, problem.path) ?? tree
  const { offset } = node.parent?.type === 'property' ? node.parent : node
  return `${positionText(text, offset)}: ${problem.message}`
}

export const formatVerbs = (text: string) =>
  applyEdits(text, format(text, undefined, { tabSize: 2, insertSpaces: true }))
