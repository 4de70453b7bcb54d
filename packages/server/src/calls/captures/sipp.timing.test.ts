import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../../../../scripts/services.ts'
import { hep } from '../../../test/hep.ts'
import { embeddedCaptures } from '../../stores/sip/files/store.ts'
import type { Wanted } from '../../stores/sip/store.ts'
import { ladderOf } from './ladder.ts'

const SIPP = process.env.SIPP ?? '/usr/bin/sipp'
const TSHARK = process.env.TSHARK ?? '/usr/bin/tshark'
const HOST = '127.0.0.1'

type Step =
  /** A request or a response with its headers. `again`: it is retransmitted until it is answered. */
  { send: string; headers?: string[]; again?: true } | { recv: string | number } | { pause: number }

const receive = (what: string | number) =>
  typeof what === 'number' ? `response="${what}"` : `request="${what}"`
const XML = (steps: Step[]) => {
  const parts = steps.map((step) => {
    if ('pause' in step) return `<pause milliseconds="${step.pause}"/>`
    if ('recv' in step) return `<recv ${receive(step.recv)}/>`
    const own = step.send.startsWith('SIP/2.0')
      ? ['[last_Via:]', '[last_From:]', '[last_To:];tag=b', '[last_Call-ID:]']
      : [
          'Via: SIP/2.0/UDP [local_ip]:[local_port];branch=BRANCH',
          'From: <sip:1000@pbx>;tag=a',
          'To: <sip:2000@pbx>[peer_tag_param]',
          'Call-ID: [call_id]',
        ]
    const lines = [step.send, ...own, ...(step.headers ?? []), 'Content-Length: 0', '', '']
    return `<send${step.again ? ' retrans="500"' : ''}><![CDATA[\n${lines.join('\n')}\n]]></send>`
  })
  return `<?xml version="1.0" encoding="ISO-8859-1" ?><scenario name="x">${parts.join('')}</scenario>`
}

/** A request of the caller's: its branch is that of its number, but for the ACK of an answer. */
const sendRequest = (
  method: string,
  cseq: number,
  more: { headers?: string[]; again?: true } = {},
) => ({
  ...more,
  send: `${method} sip:2000@[remote_ip]:[remote_port] SIP/2.0`,
  headers: [`CSeq: ${cseq} ${method}`, ...(more.headers ?? [])],
})
const sendStatus = (status: string, cseq: string, headers: string[] = [], again?: true) => ({
  send: `SIP/2.0 ${status}`,
  headers: [`CSeq: ${cseq}`, ...headers],
  ...(again && { again }),
})

describe.skipIf(!existsSync(SIPP) || !existsSync(TSHARK))(
  'calls between two SIPp instances',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchroom-sipp-'))
    const ends: (() => void)[] = []
    const store = embeddedCaptures({
      folder: join(folder, 'captures'),
      days: 1,
      max_bytes: 1e9,
      listen: { host: HOST, port: 0 },
      key: undefined,
    })
    let port: number
    beforeAll(async () => {
      port = (await store.open())!
    })
    afterEach(() => {
      for (const end of ends.splice(0)) end()
    })
    afterAll(async () => {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const bindSocket = async () => {
      const socket = createSocket('udp4')
      await new Promise<void>((done) => socket.bind(0, HOST, done))
      ends.push(() => socket.close())
      return socket
    }

    /** Relays between the two, and sends all messages to the store, as a capture agent does. */
    async function relay(called: number) {
      const [near, far, out]: Socket[] = await Promise.all([
        bindSocket(),
        bindSocket(),
        bindSocket(),
      ])
      let caller = 0
      const capture = (text: Buffer, source: number, destination: number) =>
        out!.send(
          hep({ text, source: [HOST, source], destination: [HOST, destination] }),
          port,
          HOST,
        )
      near!.on('message', (text, { port: from }) => {
        caller = from
        capture(text, from, called)
        far!.send(text, called, HOST)
      })
      far!.on('message', (text) => {
        capture(text, called, caller)
        near!.send(text, caller, HOST)
      })
      return near!.address().port
    }

    function sipp(name: string, steps: Step[], args: string[]): ChildProcess {
      const file = join(folder, `${name}.xml`)
      let at = 0
      writeFileSync(
        file,
        XML(steps).replace(
          /BRANCH(?=[\s\S]*?CSeq: (\d+) (\w+))/g,
          (_, n: string, method: string) => {
            at++
            return `z9hG4bK${n}${method === 'ACK' || method === 'BYE' ? `x${at}` : ''}`
          },
        ),
      )
      const child = spawn(SIPP, ['-sf', file, '-i', HOST, '-m', '1', '-nostdin', ...args], {
        cwd: folder,
        stdio: 'ignore',
      })
      ends.push(() => child.kill('SIGKILL'))
      return child
    }
    const isPortTaken = (at: number) =>
      readFileSync('/proc/net/udp', 'utf8').includes(
        `:${at.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000`,
      )

    /** Lets the one call the other, and resolves to what the store has of it. */
    async function call(id: string, caller: Step[], called: Step[], seconds = 20) {
      const at = await freePort()
      sipp(`${id}-called`, called, ['-p', String(at)])
      await vi.waitUntil(() => isPortTaken(at), 60_000)
      const through = await relay(at)
      const args = ['-cid_str', `${id}@sipp`, '-p', String(await freePort()), `${HOST}:${through}`]
      const child = sipp(`${id}-caller`, caller, args)
      const over = new Promise((done) => child.once('exit', done))
      await Promise.race([over, wait(seconds * 1_000)])
      // the called side may go on sending for a moment, and nothing marks its last message
      await wait(300)
      const wanted: Wanted = {
        call_id: `${id}@sipp`,
        kind: 'call',
        from: 0,
        to: Date.now() + 60_000,
      }
      const ladder = ladderOf(await store.find(wanted), wanted.call_id)
      return { ...ladder, wanted, a: ladder.parties[0]!, b: ladder.parties[1]! }
    }
    type CallResult = Awaited<ReturnType<typeof call>>
    const endText = ({ address, port }: { address: string; port: number }) => `${address}:${port}`
    const texts = ({ diagnosis }: CallResult) => diagnosis.map(({ text }) => text)
    const labels = ({ messages }: CallResult) => messages.map(({ label }) => label)

    afterEach(async () => {
      // for every call, tshark reads the same from its pcap file
      if (!last) return
      const chunks: Uint8Array[] = []
      for await (const chunk of (await store.pcap(last.wanted))!) chunks.push(chunk)
      const file = join(folder, 'read.pcap')
      writeFileSync(file, Buffer.concat(chunks))
      const ports = [last.a.port, last.b.port].flatMap((p) => ['-d', `udp.port==${p},sip`])
      const fields = ['udp.srcport', 'sip.CSeq.seq', 'sip.CSeq.method', 'sip.Status-Code']
      const out = execFileSync(
        TSHARK,
        ['-r', file, ...ports, '-T', 'fields', ...fields.flatMap((f) => ['-e', f])],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      )
      const { messages, parties } = last
      expect(
        out
          .replace(/\n$/, '')
          .split('\n')
          .map((l) => l.split('\t')),
      ).toEqual(
        messages.map((m) => [
          String(parties[m.source]!.port),
          String(m.cseq),
          m.method,
          String(m.status ?? ''),
        ]),
      )
    })
    let last: CallResult | undefined
    const counts = (called: CallResult) => {
      last = called
      return called
    }

    it('reports a busy party', async () => {
      const found = counts(
        await call(
          'busy',
          [sendRequest('INVITE', 1), { recv: 180 }, { recv: 486 }, sendRequest('ACK', 1)],
          [
            { recv: 'INVITE' },
            sendStatus('180 Ringing', '1 INVITE'),
            sendStatus('486 Busy Here', '1 INVITE'),
            { recv: 'ACK' },
          ],
        ),
      )
      expect(labels(found)).toEqual(['INVITE', '180 Ringing', '486 Busy Here', 'ACK'])
      expect(texts(found)).toEqual(['The called user is busy (486 Busy Here).'])
    })

    it('reports endless authentication challenges', async () => {
      const proof = [
        'Proxy-Authorization: Digest username="jane", realm="pbx", nonce="n", uri="sip:x", response="0123456789abcdef0123456789abcdef"',
      ]
      const challengeHeader = 'Proxy-Authenticate: Digest realm="pbx", nonce="n"'
      const round = (n: number): Step[] => [
        sendRequest('INVITE', n, n > 1 ? { headers: proof } : {}),
        { recv: 407 },
        sendRequest('ACK', n),
      ]
      const refuse = (n: number): Step[] => [
        { recv: 'INVITE' },
        sendStatus('407 Proxy Authentication Required', `${n} INVITE`, [challengeHeader]),
        { recv: 'ACK' },
      ]
      const found = counts(await call('auth', [1, 2, 3].flatMap(round), [1, 2, 3].flatMap(refuse)))
      expect(labels(found)).toHaveLength(9)
      expect(texts(found)).toEqual([
        `${endText(found.b)} asked for authentication three times and got the same response as user “jane”. The username or password is wrong.`,
      ])
      expect(JSON.stringify(found.messages)).not.toContain('0123456789abcdef')
    })

    it('reports a response repeated for a missing ACK', async () => {
      const found = counts(
        await call(
          'no-ack',
          [sendRequest('INVITE', 1), { recv: 200 }, { pause: 4_000 }],
          [{ recv: 'INVITE' }, sendStatus('200 OK', '1 INVITE', [], true), { recv: 'ACK' }],
        ),
      )
      const { messages } = found
      expect(messages.length).toBeGreaterThan(3)
      expect(messages.slice(2).map(({ repeats }) => repeats)).toEqual(
        messages.slice(2).map(() => 1),
      )
      expect(texts(found)[0]).toMatch(
        /answered, but no ACK arrived. It sent its 200 OK \w+ times in/,
      )
    })

    it('reports a refused re-INVITE and who hangs up', async () => {
      const found = counts(
        await call(
          'change',
          [
            sendRequest('INVITE', 1),
            { recv: 200 },
            sendRequest('ACK', 1),
            { pause: 200 },
            sendRequest('INVITE', 2),
            { recv: 488 },
            sendRequest('ACK', 2),
            sendRequest('BYE', 3),
            { recv: 200 },
          ],
          [
            { recv: 'INVITE' },
            sendStatus('200 OK', '1 INVITE'),
            { recv: 'ACK' },
            { recv: 'INVITE' },
            sendStatus('488 Not Acceptable Here', '2 INVITE'),
            { recv: 'ACK' },
            { recv: 'BYE' },
            sendStatus('200 OK', '3 BYE'),
          ],
        ),
      )
      expect(texts(found)[0]).toBe(
        `${endText(found.a)} tried to change the call (re-INVITE) and ${endText(found.b)} refused: 488 Not Acceptable Here. The call continued unchanged.`,
      )
      expect(texts(found).at(-1)).toMatch(`${endText(found.a)} hung up after `)
    })

    it('reports a CANCEL that crosses the answer', async () => {
      const found = counts(
        await call(
          'race',
          [
            sendRequest('INVITE', 1),
            { recv: 180 },
            sendRequest('CANCEL', 1),
            { recv: 200 },
            { recv: 200 },
            sendRequest('ACK', 1),
            sendRequest('BYE', 2),
            { recv: 200 },
          ],
          [
            { recv: 'INVITE' },
            sendStatus('180 Ringing', '1 INVITE'),
            { recv: 'CANCEL' },
            sendStatus('200 OK', '1 INVITE'),
            sendStatus('200 OK', '1 CANCEL'),
            { recv: 'ACK' },
            { recv: 'BYE' },
            sendStatus('200 OK', '2 BYE'),
          ],
        ),
      )
      expect(texts(found)[0]).toBe(
        `${endText(found.a)} gave up (CANCEL) just as ${endText(found.b)} answered. The two crossed, so the call was set up although the caller had given up.`,
      )
      expect(texts(found).at(-1)).toMatch(`${endText(found.a)} hung up after `)
    })

    it('reports an unanswered call', async () => {
      const found = counts(
        await call(
          'silence',
          [sendRequest('INVITE', 1, { again: true }), { recv: 200 }],
          [{ recv: 'INVITE' }, { pause: 30_000 }],
          4,
        ),
      )
      expect(new Set(labels(found))).toEqual(new Set(['INVITE']))
      expect(found.messages.slice(1).every(({ repeats }) => repeats === 0)).toBe(true)
      expect(texts(found)[0]).toMatch(
        new RegExp(`^${endText(found.b)} never answered the INVITE, which was sent \\w+ times in `),
      )
    })
  },
)
