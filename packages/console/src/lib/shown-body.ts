import { findNodeAtLocation, parseTree } from 'jsonc-parser'

/** An error in a body, with its line, starting at 1, or its path in the JSON. */
export type BodyMark = {
  message: string
  line?: number | null
  path: readonly (string | number)[] | null
}

/** A body as lines, JSON of one line pretty-printed; `marked`: what is wrong by line, starting at 1. */
export function shownBody(text: string, marks: readonly BodyMark[]) {
  const pretty = prettyOf(text)
  const lines = visible(pretty ?? text).split('\n')
  const marked = new Map<number, string[]>()
  // a body in lines of its own is known by them where its reader told
  const lineOf = linesOf(pretty ?? text)
  for (const { message, line, path } of marks) {
    const at = (pretty === undefined ? line : undefined) ?? lineOf(path)
    if (at) marked.set(at, [...(marked.get(at) ?? []), message])
  }
  return { lines, marked }
}

/** Undefined if it is not JSON, or has lines of its own. */
function prettyOf(text: string) {
  if (text.trim().includes('\n')) return undefined
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return undefined
  }
}

/** Finds the line of a place in JSON. */
function linesOf(text: string) {
  let tree: ReturnType<typeof parseTree> | null = null
  return (path: readonly (string | number)[] | null) => {
    if (!path || path.length === 0) return undefined
    if (tree === null) tree = parseTree(text)
    const node = tree && findNodeAtLocation(tree, [...path])
    if (!node) return undefined
    const { offset } = node.parent?.type === 'property' ? node.parent : node
    return text.slice(0, offset).split('\n').length
  }
}

/** Control characters and those that reverse text, as signs that can be seen. */
const visible = (text: string) =>
  text
    .replace(/\r\n/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
    .replace(/[\0-\x08\x0b-\x1f]/g, (c) => String.fromCharCode(0x24_00 + c.charCodeAt(0)))
    .replace(/[\x7f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
