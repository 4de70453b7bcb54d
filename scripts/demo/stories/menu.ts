import { say } from './speaking.ts'
import { dialogueOf, type Ending, type Telling } from './telling.ts'

/** A menu by keys: the caller presses one, and is put through to a phone of the account where it has some. */
export function tellMenu(telling: Telling): Ending {
  const { call, random, trace, root, answered_ms, speech } = telling
  const { menu } = dialogueOf(call)
  const at = answered_ms + 2
  const gather = trace.add('verb:gather{inputs=digits,with nested say task}', root, at, at)
  const spoken = say(telling, { text: menu.prompt, parent: gather, at: at + 1, prefix: 'nested:' })
  const finish = (end: number, resolve: string) =>
    Object.assign(trace.spans.find(({ id }) => id === gather)!, {
      end,
      attributes: { channel: 1, 'stt.label': 'None', 'stt.resolve': resolve },
    })
  if (random.chance(0.12)) {
    const ended_ms = spoken + random.int(200, 4_000)
    finish(ended_ms + 2, 'killed')
    return { ended_ms, ended_by: 'caller' }
  }
  const digits = random.pick(Object.keys(menu.keys))
  const pressed = spoken + Math.round(random.skewed(900, 0.5))
  const answered = pressed + Math.round(random.skewed(240, 0.3))
  trace.add('verb:hook (/menu)', gather, pressed, answered, {
    'http.body': JSON.stringify({ reason: 'dtmfDetected', digits, callSid: call.call_sid }),
    'http.statusCode': 200,
  })
  finish(answered + 2, 'dtmf-num-digits')
  const through = say(telling, {
    text: `One moment, I put you through to ${menu.keys[digits]}.`,
    parent: root,
    at: answered + 6,
    prefix: 'verb:',
  })
  const { phones } = call.account
  if (phones.length === 0) {
    const ended_ms = through + Math.round(random.skewed(90_000, 0.5))
    trace.add('verb:enqueue', root, through + 3, ended_ms)
    return { ended_ms, ended_by: 'caller' }
  }
  const user = `${random.pick(phones)}@${call.account.realm}`
  const status = random.weighted([
    [200, 82],
    [480, 10],
    [486, 8],
  ])
  const rings = Math.round(random.skewed(5_200, 0.4))
  const at_ms = through + 80
  const picked = at_ms + rings
  const talks = Math.min(900_000, Math.round(random.skewed(180_000, 0.7)))
  const over = status === 200 ? picked + talks : picked
  const ids = { call_sid: random.uuid(), sip_callid: random.uuid() }
  const told = over + random.int(80, 260)
  const dial = trace.add(`verb:dial{type=user,name=${user}}`, root, through + 3, told + 1, {
    'dial.target': JSON.stringify([{ type: 'user', name: user }]),
  })
  trace.add('invite', dial, at_ms, picked, {
    'invite.uri': `sip:${user}`,
    'invite.dest_type': 'user',
    'invite.call_id': ids.sip_callid,
    'invite.status_code': status,
  })
  trace.add('verb:hook (/dialed)', dial, over + 1, told, {
    'http.body': JSON.stringify({
      dialCallStatus: status === 200 ? 'completed' : status === 486 ? 'busy' : 'no-answer',
      dialSipStatus: status,
      dialCallSid: ids.call_sid,
    }),
    'http.statusCode': 200,
  })
  const dialled = { ...ids, user, status, at_ms, answered_ms: picked, ended_ms: over }
  if (status !== 200) {
    const sorry = 'Nobody is free at the moment. We will call you back.'
    const said = say(telling, { text: sorry, parent: root, at: told + 6, prefix: 'verb:' })
    trace.add('verb:hangup', root, said + 1, said + 3)
    return { ended_ms: said + 2, ended_by: 'jambonz', dialled }
  }
  for (let t = picked + 600; t < over; ) {
    const lasts = random.int(1_200, 5_000)
    const side = random.chance(0.5) ? 'caller' : 'platform'
    speech.push({ side, from: t, to: Math.min(over, t + lasts) })
    t += lasts + random.int(250, 900)
  }
  // when the called party hangs up, the application is told first, and then has no more verbs
  return random.chance(0.6)
    ? { ended_ms: over, ended_by: 'caller', dialled }
    : { ended_ms: told + 3, ended_by: 'jambonz', dialled }
}
