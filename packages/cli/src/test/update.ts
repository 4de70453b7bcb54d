import { writeFileSync } from 'node:fs'
import type { Answer } from '@switchroom/client'
import type { api } from '@switchroom/contract'
import type { Case, CaseFile } from './cases.ts'

type Change = { from: number; to: number; text: string }

/** Changes to a file that replace the expected texts of a case by what the application said. */
export function changesFor(
  { parsed: { document } }: CaseFile,
  { body, places }: Case,
  { outcomes }: Pick<Answer<typeof api.runs.view>, 'outcomes'>,
): Change[] {
  return (outcomes ?? []).flatMap(({ is_met, nearest }, i) => {
    const node = document.getIn([...places.expectations[i]!.path, body.expectations[i]!.kind], true)
    if (is_met || !nearest || !isPlaced(node)) return []
    const [from, to] = node.range
    return [{ from, to, text: scalar(nearest) }]
  })
}

/** Leaves the rest of a file as it is. Of two changes of one place, as of two languages, the first counts. */
export function update({ file, text }: CaseFile, changes: readonly Change[]) {
  const places = new Map(changes.toReversed().map((change) => [change.from, change]))
  const last = [...places.values()].sort((a, b) => b.from - a.from)
  const changed = last.reduce(
    (all, { from, to, text }) => all.slice(0, from) + text + all.slice(to),
    text,
  )
  if (last.length > 0) writeFileSync(file, changed)
}

const isPlaced = (node: unknown): node is { range: [number, number, number] } =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)

/** A text as YAML has it: with quotes unless it is plain words. */
const scalar = (text: string) =>
  /^\p{L}[\p{L}\p{N} .?!’]*$/u.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text)
    ? text.trim()
    : JSON.stringify(text)
