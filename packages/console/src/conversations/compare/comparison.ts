import type { Conversation, ConversationEntry } from '@switchroom/contract'
import { align, type Pair } from './align'
import { type Difference, differencesOf } from './differences'

/** Two steps side by side, and how they differ. */
export type Row = Pair & {
  differences: readonly Difference[]
  /** True if only one of two calls has this step. */
  isAlone: boolean
}

export const differs = ({ differences, isAlone }: Row) => isAlone || differences.length > 0

/** Two conversations beside each other. Without one of them, the other's entries, and no differences. */
export function rowsOf(a: Conversation | undefined, b: Conversation | undefined): Row[] {
  const [left, right] = [a?.entries ?? [], b?.entries ?? []]
  const areBoth = a !== undefined && b !== undefined
  const settings = new Set<string>()
  const isNew = ({ kind, text }: Difference) => {
    if (kind !== 'setting') return true
    if (settings.has(text)) return false
    settings.add(text)
    return true
  }
  /** True if the other call would have such an entry too. Recorded entries exist in transcribed calls only,
   * entries of models where events came. */
  const isKnown = (entry: ConversationEntry, other: Conversation | undefined) =>
    entry.kind === 'model'
      ? other !== undefined && other.model_session !== null
      : entry.kind !== 'recorded' || (other !== undefined && other.transcribed !== null)
  return align(left, right).map((pair) =>
    pair.a === null || pair.b === null
      ? {
          ...pair,
          differences: [],
          isAlone:
            areBoth && (pair.a === null ? isKnown(right[pair.b]!, a) : isKnown(left[pair.a]!, b)),
        }
      : {
          ...pair,
          differences: differencesOf(left[pair.a]!, right[pair.b]!).filter(isNew),
          isAlone: false,
        },
  )
}
