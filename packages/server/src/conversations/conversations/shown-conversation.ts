import type { Call, Conversation, Trace } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { conversationOf } from '../../talk/conversation.ts'
import { heardIn } from '../transcriptions/heard-in.ts'
import { withRecorded } from './recorded.ts'
import { toldOf, withModel } from './with-model.ts'

/** A call's conversation from its trace, the events of its model sessions and the transcription of its recording. */
export async function shownConversation(
  ctx: Pick<Context, 'db' | 'stores'>,
  call: Call,
  trace: Trace,
): Promise<Conversation> {
  const told = await toldOf(ctx, call)
  const conversation = await withModel(ctx, conversationOf(trace), { call, trace, told })
  const heard = await heardIn(ctx, call)
  return heard ? withRecorded(conversation, heard) : conversation
}
