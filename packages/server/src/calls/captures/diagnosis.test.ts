import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../test/calls.ts'
import {
  A,
  ACK,
  answer,
  ask,
  B,
  BEGUN,
  C,
  ID,
  INVITE,
  ladder,
  rtcp,
  sentences,
} from '../../../test/ladder.ts'
import { reportedCases } from '../../../test/trust.ts'
import { ladderOf } from './ladder.ts'

const [a, b] = [`${A}:5060`, `${B}:5060`]
const invite = ask(0, INVITE)
const trying = answer(0.1, '100 Trying')
const ringing = answer(1, '180 Ringing')
const ok = answer(6, '200 OK')
const ack = ask(6.1, ACK, { branch: 'z9hG4bKack', within: true })
const talk = [invite, trying, ringing, ok, ack]
const sdp = (media: string) => `v=0\r\nm=audio ${media}\r\na=rtpmap:96 opus/48000/2\r\n`

describe('a successful call', () => {
  const lines = [
    ...talk,
    answer(38, 'x', {}),
    { ...ask(38, 'BYE sip:1000@pbx', { cseq: '2 BYE', within: true }), from: B, to: A },
    { ...answer(38.1, '200 OK', { cseq: '2 BYE' }), from: A, to: B },
  ].filter(({ first }) => first !== 'SIP/2.0 x')

  it('is described with who hung up and the duration', () => {
    expect(sentences(lines)).toEqual([
      `ok: ${b} answered after 6.0 s.`,
      `info: ${b} hung up after 32 s.`,
    ])
    expect(ladder(lines).figures).toEqual({
      post_dial_delay: 1_000,
      ringing: 5_000,
      talking: 32_000,
    })
  })

  it('is a ladder between its parties', () => {
    const { parties, messages, legs } = ladder(lines)
    expect(parties).toEqual([
      { address: A, port: 5060 },
      { address: B, port: 5060 },
    ])
    expect(legs).toEqual([{ call_id: ID, parent: null }])
    expect(messages.map((m) => [m.label, m.source, m.destination, m.method, m.status])).toEqual([
      ['INVITE', 0, 1, 'INVITE', null],
      ['100 Trying', 1, 0, 'INVITE', 100],
      ['180 Ringing', 1, 0, 'INVITE', 180],
      ['200 OK', 1, 0, 'INVITE', 200],
      ['ACK', 0, 1, 'ACK', null],
      ['BYE', 1, 0, 'BYE', null],
      ['200 OK', 0, 1, 'BYE', 200],
    ])
    expect(messages[0]!.at).toBe(BEGUN)
  })
})

describe('a refused call', () => {
  it.each([
    ['486 Busy Here', `The called user is busy (486 Busy Here).`],
    ['403 Forbidden', `${b} does not allow this caller or this number (403 Forbidden).`],
    ['404 Not Found', `${b} does not know the called number (404 Not Found).`],
    [
      '408 Request Timeout',
      `${b} got no answer from where it sent the call (408 Request Timeout).`,
    ],
    ['480 Gone', `The called user is unavailable at ${b}, or not registered (480 Gone).`],
    ['603 Decline', `The called user declined the call (603 Decline).`],
    ['499 Odd', `${b} refused the call (499 Odd).`],
    ['599 Odd', `${b} failed (599 Odd).`],
  ])('explains %s', (status, text) => {
    expect(sentences([invite, trying, answer(1, status), ask(1.1, ACK)])).toEqual([`bad: ${text}`])
  })

  it('quotes the reason the far end gave, as text', () => {
    const headers = ['Reason: Q.850;cause=34;text="No circuit\u202e <b>"', 'Warning: 399 x "full"']
    expect(sentences([invite, answer(1, '503 Service Unavailable', { headers })])).toEqual([
      `bad: ${b} cannot take the call now. It is overloaded, in maintenance, or has no route for it (503 Service Unavailable). Reason: “No circuit <b>”, “full”.`,
    ])
    expect(
      sentences([invite, answer(1, '486 Busy', { headers: ['Reason: Q.850;cause=17'] })]),
    ).toEqual(['bad: The called user is busy (486 Busy). Reason: Q.850 cause 17.'])
  })

  it('names the rejected codecs', () => {
    const offered = ask(0, INVITE, { body: sdp('4000 RTP/AVP 0 96 101') })
    expect(sentences([offered, answer(1, '488 Not Acceptable Here')])).toEqual([
      `bad: ${b} accepts none of the offered media: PCMU, opus, 101 (488 Not Acceptable Here).`,
    ])
    const wanted = answer(1, '488 Not Acceptable Here', { body: sdp('4000 RTP/AVP 8 18') })
    expect(sentences([offered, wanted])[0]).toContain('It would accept PCMA, G729.')
  })

  it('is reported once, for the party that refused first', () => {
    const onward = { call_id: 'b', headers: [`X-CID: ${ID}`] }
    expect(
      sentences([
        invite,
        { ...ask(0.1, INVITE, onward), from: B, to: C },
        { ...answer(1, '486 Busy Here', { call_id: 'b' }), from: C, to: B },
        answer(1.1, '486 Busy Here'),
      ]),
    ).toEqual(['bad: The called user is busy (486 Busy Here).'])
    expect(
      sentences([
        invite,
        { ...ask(0.1, INVITE, onward), from: B, to: C },
        { ...answer(1, '404 Not Found', { call_id: 'b' }), from: C, to: B },
        answer(1.1, '480 Temporarily Unavailable'),
      ])[0],
    ).toBe(`bad: ${C}:5060 does not know the called number (404 Not Found).`)
  })
})

describe('authentication', () => {
  const challenge = (n: number, more = '') =>
    answer(n, '407 Proxy Authentication Required', {
      cseq: `${n} INVITE`,
      headers: [`Proxy-Authenticate: Digest realm="pbx", nonce="n${n}"${more}`],
    })
  const again = (n: number, response: string, realm = 'pbx') =>
    ask(n, INVITE, {
      cseq: `${n} INVITE`,
      headers: [
        `Proxy-Authorization: Digest username="jane", realm="${realm}", response="${response}"`,
      ],
    })
  const first = ask(1, INVITE, { cseq: '1 INVITE' })

  it('is reported when credentials are always wrong', () => {
    const loop = [first, challenge(1), again(2, 'x'), challenge(2), again(3, 'x'), challenge(3)]
    expect(sentences(loop)).toEqual([
      `bad: ${b} asked for authentication three times and got the same response as user “jane”. The username or password is wrong.`,
    ])
    const other = [first, challenge(1), again(2, 'x'), challenge(2)]
    expect(sentences(other)).toEqual([
      `bad: ${b} asked for authentication twice and rejected every response as user “jane”. The username or password is wrong.`,
    ])
  })

  it('is reported when unanswered, for another realm, or stale', () => {
    expect(sentences([first, challenge(1)])[0]).toContain('and got none. No credentials are set')
    expect(sentences([first, challenge(1), again(2, 'x', 'other'), challenge(2)])[0]).toContain(
      'for the realm “pbx” and got credentials for “other”',
    )
    expect(
      sentences([first, challenge(1), again(2, 'x'), challenge(2, ', stale=true')])[0],
    ).toContain('the nonce had expired (stale)')
  })

  it('is not reported when it succeeds', () => {
    const lines = [first, challenge(1), again(2, 'x'), answer(3, '200 OK', { cseq: '2 INVITE' })]
    expect(sentences(lines)).toEqual([`ok: ${b} answered after 1.0 s.`])
  })

  it('hides the digest and keeps the message length', () => {
    const proof = 'c0ffee'.repeat(5)
    const { messages } = ladder([first, challenge(1), again(2, proof), challenge(2)])
    expect(JSON.stringify(messages)).not.toContain(proof)
    expect(messages[2]!.raw).toContain(`response="${'x'.repeat(30)}"`)
  })
})

describe('silence', () => {
  const resent = [0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5].map((at) => ask(at, INVITE))

  it('is reported', () => {
    expect(sentences(resent)).toEqual([
      `bad: ${b} never answered the INVITE, which was sent seven times in 32 s. It may be down, or a firewall or wrong route may block it.`,
    ])
    expect(ladder(resent).messages.map((m) => m.repeats)).toEqual([null, 0, 0, 0, 0, 0, 0])
  })

  it('is not concluded from one message', () => {
    expect(sentences([invite])).toEqual([
      `warn: The capture has no answer from ${b} to the INVITE.`,
    ])
    expect(sentences([])).toEqual([])
    expect(sentences([ok, ack])).toEqual([])
    expect(sentences([ask(0, 'OPTIONS sip:x')])).toEqual([])
  })

  it('after 100 is distinguished from silence while ringing', () => {
    expect(sentences([invite, trying])).toEqual([
      `bad: ${b} answered 100 to the INVITE and nothing more.`,
    ])
    expect(sentences([invite, trying, ringing])[0]).toMatch(/^info: The capture ends before .* 180/)
  })

  it('is reported for a missing ACK', () => {
    const answers = [6, 6.5, 7.5, 9.5].map((at) => answer(at, '200 OK'))
    expect(sentences([invite, ...answers])[0]).toMatch(
      `bad: ${b} answered, but no ACK arrived. It sent its 200 OK four times in 3.5 s.`,
    )
    expect(sentences([invite, ok])).toEqual([`ok: ${b} answered after 6.0 s.`])
    expect(sentences([invite, ok, ack, ...answers.slice(2)])).toEqual([
      `ok: ${b} answered after 6.0 s.`,
    ])
    const lost = [7, 8, 12].map((at) => answer(at, '200 OK'))
    expect(sentences([invite, ok, ack, ...lost])[0]).toBe(
      `bad: The ACK did not reach ${b}. It kept retransmitting its 200 OK for 6.0 s.`,
    )
  })
})

describe('a cancelled call', () => {
  const cancel = ask(5, 'CANCEL sip:2000@pbx', { cseq: '1 CANCEL' })
  const cancelled = answer(5.1, '200 OK', { cseq: '1 CANCEL' })

  it('is described with how long it rang', () => {
    const lines = [invite, ringing, cancel, cancelled, answer(5.2, '487 Terminated'), ask(5.3, ACK)]
    expect(sentences(lines)).toEqual([`info: ${a} gave up after 5.0 s, while it rang (CANCEL).`])
  })

  it('may have been answered at the same moment', () => {
    const lines = [invite, ringing, cancel, answer(5.05, '200 OK'), cancelled, { ...ack, at: 5.2 }]
    expect(sentences(lines)).toEqual([
      `warn: ${a} gave up (CANCEL) just as ${b} answered. The two crossed, so the call was set up although the caller had given up.`,
      `ok: ${b} answered after 5.0 s.`,
    ])
  })
})

describe('in-dialog requests', () => {
  const again = (at: number, cseq: number, status: string) => [
    ask(at, INVITE, { cseq: `${cseq} INVITE`, within: true }),
    answer(at + 0.1, status, { cseq: `${cseq} INVITE` }),
  ]

  it('report a refused re-INVITE', () => {
    expect(sentences([...talk, ...again(10, 2, '488 Not Acceptable Here')])[0]).toBe(
      `warn: ${a} tried to change the call (re-INVITE) and ${b} refused: 488 Not Acceptable Here. The call continued unchanged.`,
    )
    expect(sentences([...talk, ...again(10, 2, '491 Request Pending')])[0]).toContain(
      'tried to change the call at the same time',
    )
    expect(sentences([...talk, ...again(10, 2, '481 Gone')])[0]).toMatch(/^bad: .*no longer knows/)
  })

  it('do not report a re-INVITE that is accepted in the end', () => {
    const lines = [...talk, ...again(10, 2, '491 Request Pending'), ...again(12, 3, '200 OK')]
    expect(sentences(lines)).toEqual([`ok: ${b} answered after 6.0 s.`])
  })

  it('report one-way audio and packet loss', () => {
    const sender = (at: number, from: string, packets: number, fraction_lost = 0) =>
      rtcp(at, from, {
        type: 200,
        sender_information: { packets },
        report_blocks: [{ fraction_lost }],
      })
    const reports = [10, 15, 20].flatMap((at) => [sender(at, A, at * 50), sender(at, B, 0)])
    expect(sentences(talk, reports)[0]).toMatch(`warn: ${b} sent no audio while the other side did`)
    const lossy = [10, 15, 20].flatMap((at) => [sender(at, A, at * 50), sender(at, B, 50, 64)])
    expect(sentences(talk, lossy)[0]).toMatch(`warn: ${b} lost up to 25 % of the audio`)
    const silent = [10, 15, 20].flatMap((at) => [sender(at, A, 0), sender(at, B, 0)])
    expect(sentences(talk, silent)).toEqual([`ok: ${b} answered after 6.0 s.`])
    const odd = [rtcp(1, A, { type: 200, sender_information: 7, report_blocks: [null, 'x'] })]
    expect(sentences(talk, [...odd, ...odd, ...odd])).toHaveLength(1)
  })

  it('report a BYE for an unknown call', () => {
    const bye = (at: number) => ask(at, 'BYE sip:x', { cseq: '2 BYE', within: true })
    expect(sentences([...talk, bye(9), bye(9.5), bye(10.5)])[0]).toBe(
      `warn: ${b} never answered the BYE, sent three times.`,
    )
    expect(sentences([...talk, bye(9), answer(9.1, '481 Gone', { cseq: '2 BYE' })])[0]).toContain(
      'no longer knew the call',
    )
  })
})

describe('a registration', () => {
  const register = (at: number, cseq: number, headers: string[] = []) =>
    ask(at, 'REGISTER sip:pbx', { cseq: `${cseq} REGISTER`, headers })
  const authResponse = (at: number, cseq: number, status: string, headers: string[] = []) =>
    answer(at, status, { cseq: `${cseq} REGISTER`, headers })
  const proof = ['Authorization: Digest username="trunk", realm="pbx", response="x"']
  const asks = ['WWW-Authenticate: Digest realm="pbx", nonce="n"']

  it('is described by its last attempt', () => {
    const failed = [register(0, 1), authResponse(1, 1, '403 Forbidden')]
    expect(sentences(failed)).toEqual([`bad: ${b} refused to register: 403 Forbidden.`])
    const well = [
      ...failed,
      register(60, 2),
      authResponse(60.1, 2, '401 Unauthorized', asks),
      register(60.2, 3, proof),
      authResponse(60.3, 3, '200 OK', ['Contact: <sip:x>;expires=300']),
    ]
    expect(sentences(well)).toEqual([`ok: ${b} accepted the registration, for 300 s.`])
    const loop = [...well.slice(2, 5), authResponse(60.3, 3, '401 Unauthorized', asks)]
    expect(sentences(loop)[0]).toContain(`bad: ${b} asked for authentication twice`)
  })
})

describe('messages from several agents', () => {
  it('appear once, except retransmissions seen by one agent', () => {
    const seen = [
      { ...invite, node: '1' },
      { ...invite, node: '2', at: 0.01 },
      { ...invite, node: '1', at: 0.5 },
      { ...invite, node: '2', at: 0.51 },
    ]
    expect(ladder(seen).messages.map((m) => [m.at - BEGUN, m.repeats])).toEqual([
      [0, null],
      [500_000, 0],
    ])
  })
})

it('survives generated input', () => {
  const random = seededRandom(3)
  const words = [
    'INVITE sip:a SIP/2.0',
    'SIP/2.0 200 OK',
    'SIP/2.0 401 x',
    'CSeq: 1 INVITE',
    'CSeq: 99999999999 ACK',
    'To: <sip:a>;tag=',
    'Via: ;branch=z;branch=',
    'Call-ID: c',
    'WWW-Authenticate: realm="',
    'Authorization: Digest response="", ,',
    '',
    '\r',
    'm=audio 0 RTP/AVP 0 0',
    'Reason: "\\',
    'Contact: <',
  ]
  const ladders = reportedCases('random SIP ladders', 3_000, 200_000)
  for (let i = 0; i < ladders; i++) {
    const messages = Array.from({ length: random(8) }, (_, n) => ({
      time: n,
      kind: random(8) ? ('sip' as const) : ('rtcp' as const),
      source: { address: A, port: random(3) },
      destination: { address: B, port: random(3) },
      transport: 'udp',
      node: '',
      call_id: 'c',
      parent: null,
      bytes: Buffer.from(
        Array.from({ length: random(9) }, () => words[random(words.length)]).join('\r\n'),
      ),
    }))
    const { diagnosis } = ladderOf({ messages, cut: false }, 'c')
    for (const { text } of diagnosis) expect(text).not.toMatch(/undefined|NaN|null|Infinity/)
  }
})

// with all of it compared with all, each would take longer than a test may
it('parses messages longer than any', () => {
  const hostile = [
    ' '.repeat(500_000),
    '\r\n '.repeat(170_000),
    ';'.repeat(500_000),
    'a'.repeat(500_000),
  ]
  for (const part of hostile)
    for (const name of [
      'Reason: Q.850',
      'Via: x',
      'Authorization: Digest',
      'Contact: <',
      'To: a',
      '',
    ]) {
      const found = sentences([
        invite,
        answer(1, '503 x', { headers: [`${name}${part}`], body: `m=audio ${part}` }),
      ])
      expect(found.length, name).toBeGreaterThan(0)
    }
})
