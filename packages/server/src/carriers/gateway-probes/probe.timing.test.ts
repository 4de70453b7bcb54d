import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { answerTo, ask, line, listening, tcpPeer, udpPeer } from '../../../test/sip-peers.ts'

// all wait for the five seconds of a probe, or for its retransmissions

it('is a complete OPTIONS, retransmitted until answered', async () => {
  const requests: string[] = []
  const port = await udpPeer((request, answer) => {
    requests.push(request)
    if (requests.length === 3) answer(answerTo(request))
  })
  const result = await ask(port)
  expect(result.outcome).toBe('ok')
  // at 0, 500 and 1500 ms
  expect(result.rtt_ms).toBeGreaterThan(1_400)
  expect(new Set(requests).size).toBe(1)
  const local = /^Via: SIP\/2\.0\/UDP (127\.0\.0\.1:\d+);branch=z9hG4bK\w+;rport$/.exec(
    line(requests[0]!, 'Via'),
  )![1]
  expect(requests[0]!.split('\r\n')).toEqual([
    `OPTIONS sip:127.0.0.1:${port} SIP/2.0`,
    expect.any(String),
    'Max-Forwards: 70',
    expect.stringMatching(`^From: <sip:switchroom@${local}>;tag=\\w+$`),
    'To: <sip:127.0.0.1>',
    expect.stringMatching(/^Call-ID: [\w-]+$/),
    'CSeq: 1 OPTIONS',
    `Contact: <sip:switchroom@${local}>`,
    'Accept: application/sdp',
    'User-Agent: Switchroom',
    'Content-Length: 0',
    '',
    '',
  ])
})

it('goes on waiting after a provisional answer', async () => {
  const port = await udpPeer((request, answer) => {
    answer(answerTo(request, 'SIP/2.0 100 Trying'))
    // late enough that the provisional answer is read on its own
    setTimeout(() => answer(answerTo(request, 'SIP/2.0 486 Busy Here')), 300)
  })
  expect(await ask(port)).toMatchObject({ outcome: 'refused', status: 486 })
  const stream = await tcpPeer((request, socket) => {
    const trying = answerTo(request, 'SIP/2.0 100 Trying').replace('Content-Length: 0', 'l: 5')
    socket.write(`\r\n\r\n${trying}he`)
    setTimeout(() => socket.write(`llo${answerTo(request)}`), 200)
  })
  expect(await ask(stream, 'tcp')).toMatchObject({ outcome: 'ok', status: 200 })
})

it('recognizes a peer that never starts TLS', async () => {
  const mute = await listening(createServer(() => undefined))
  expect(await ask(mute, 'tls')).toMatchObject({
    outcome: 'timeout',
    reason: 'The TLS handshake timed out',
  })
})

it('recognizes garbage', async () => {
  const garbage = Buffer.from(Array.from({ length: 900 }, (_, i) => (i * 7919) % 256))
  const udp = await udpPeer((_, answer) => answer(garbage))
  const tcp = await tcpPeer((_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const bad = {
    outcome: 'bad_answer',
    status: null,
    reason: 'The response does not match the request',
  }
  expect(await Promise.all([ask(udp), ask(tcp, 'tcp')])).toMatchObject([bad, bad])
})

it('takes no answer to another request', async () => {
  const others = [
    (request: string) => answerTo(request.replace(/^Call-ID: .*$/m, 'Call-ID: another\r')),
    (request: string) => answerTo(request.replace(/branch=\w+/, 'branch=z9hG4bKanother')),
    (request: string) => answerTo(request.replace('CSeq: 1 OPTIONS', 'CSeq: 1 INVITE')),
  ]
  const ports = await Promise.all(
    others.map((other) => udpPeer((request, answer) => answer(other(request)))),
  )
  const results = await Promise.all(ports.map((port) => ask(port)))
  expect(results.map((r) => r.outcome)).toEqual(['bad_answer', 'bad_answer', 'bad_answer'])
  // and the right answer among wrong ones is found
  const port = await udpPeer((request, answer) => {
    answer(others[0]!(request))
    answer(answerTo(request, 'SIP/2.0 404 Not Found'))
  })
  expect(await ask(port)).toMatchObject({ outcome: 'not_found' })
})

it('reports silence as a timeout', async () => {
  expect(await ask(await udpPeer(() => {}))).toMatchObject({
    outcome: 'timeout',
    status: null,
    reason: 'No answer in time',
    rtt_ms: null,
  })
})
