import type { Verdict } from '@switchroom/contract'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'

/** A body as lines, JSON of one line pretty-printed; `marked`: the line that is wrong, starting at 1. */
export function shownBody(text: string, verdict: Verdict | null) {
  const pretty = prettyOf(text)
  const lines = visible(pretty ?? text).split('\n')
  if (!verdict || verdict.ok) return { lines, marked: undefined }
  const marked =
    pretty === undefined ? (verdict.line ?? undefined) : lineOf(pretty, verdict.path ?? undefined)
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

function lineOf(text: string, path: (string | number)[] | undefined) {
  const tree = path && parseTree(text)
  const node = tree && findNodeAtLocation(tree, path)
  if (!node) return undefined
  const { offset } = node.parent?.type === 'property' ? node.parent : node
  return text.slice(0, offset).split('\n').length
}

/** Control characters and those that reverse text, as signs that can be seen. */
const visible = (text: string) =>
  text
    .replace(/\r\n/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
    .replace(/[\0-\x08\x0b-\x1f]/g, (c) => String.fromCharCode(0x24_00 + c.charCodeAt(0)))
    .replace(/[\x7f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
