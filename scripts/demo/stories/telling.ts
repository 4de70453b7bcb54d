import { DIALOGUES } from '../dialogues.ts'
import type { PlannedCall, Speech, Story, StoryAlert } from '../planned-call.ts'
import type { Random } from '../random.ts'
import type { TraceBuilder } from './trace.ts'

/** State shared by the parts of a story while it is told. */
export type Telling = {
  call: PlannedCall
  random: Random
  trace: TraceBuilder
  root: string
  /** When the caller is connected. */
  answered_ms: number
  speech: Speech[]
  alerts: StoryAlert[]
}
export type Ending = Pick<Story, 'ended_ms' | 'ended_by' | 'dialled' | 'events'>

export const dialogueOf = ({ account }: PlannedCall) => DIALOGUES[account.sector]
