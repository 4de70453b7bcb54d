import type { ConversationEntry, ConversationFinding } from '@switchroom/contract'

export type Placed<E> = { entry: E; index: number }
export type Finding = ConversationFinding & { at: number }

export type Clock = (time: number) => string

export const finding = (
  tone: Finding['tone'],
  { entry, index }: Placed<ConversationEntry>,
  text: string,
): Finding => ({ tone, text, entry: index, at: entry.at })
