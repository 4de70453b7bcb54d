import { say } from './speaking.ts'
import { dialogueOf, type Ending, type Telling } from './telling.ts'

/** An outbound call that reminds of something and waits for a key. */
export function tellReminder(telling: Telling): Ending {
  const { call, random, trace, root, answered_ms } = telling
  const at = answered_ms + 3
  const gather = trace.add('verb:gather{inputs=digits,with nested say task}', root, at, at)
  const text = dialogueOf(call).reminder
  const spoken = say(telling, { text, parent: gather, at: at + 1, prefix: 'nested:' })
  const end = (at: number, resolve: string) =>
    Object.assign(trace.spans.find(({ id }) => id === gather)!, {
      end: at,
      attributes: { channel: 1, 'stt.label': 'None', 'stt.resolve': resolve },
    })
  if (random.chance(0.3)) {
    // a person who has heard enough, or a mailbox that is full
    const ended_ms = spoken + random.int(-1_200, 4_000)
    end(ended_ms + 2, 'killed')
    return { ended_ms, ended_by: 'caller' }
  }
  const digits = random.chance(0.85) ? '1' : '2'
  const pressed = spoken + Math.round(random.skewed(1_300, 0.5))
  const answered = pressed + Math.round(random.skewed(220, 0.3))
  trace.add('verb:hook (/reminder)', gather, pressed, answered, {
    'http.body': JSON.stringify({ reason: 'dtmfDetected', digits, callSid: call.call_sid }),
    'http.statusCode': 200,
  })
  end(answered + 2, 'dtmf-num-digits')
  const thanks = digits === '1' ? 'Thank you, that is confirmed.' : 'Thank you, we will call you.'
  const said = say(telling, { text: thanks, parent: root, at: answered + 5, prefix: 'verb:' })
  trace.add('verb:hangup', root, said + 1, said + 3)
  return { ended_ms: said + 2, ended_by: 'jambonz' }
}
