import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorBody, type ErrorCode, t } from '@switchroom/contract'
import type { FastifyBaseLogger } from 'fastify'
import { errorCode } from '../errors/members.ts'

// an import would load Node's WebSocket and fetch as well, which nothing needs at the start
const { ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')

/** Answers to requests that are not HTTP, by Node's error code. */
const ANSWERS: Record<string, [status: number, ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'too_large', t('The request headers are too large')],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'invalid', t('The request took too long to arrive')],
}
const MALFORMED: [number, ErrorCode, string] = [
  400,
  'invalid',
  t('The request could not be parsed'),
]

/** Answers requests that Node could not parse, in the shape of all other errors, and closes the connection. */
export function answerClientErrors(server: Server, log: FastifyBaseLogger) {
  const answer = (code: string, socket: Duplex) => {
    if (!socket.writable) return
    const [status, name, msg] = ANSWERS[code] ?? MALFORMED
    const body: ErrorBody = { msg, code: name, request_id: randomUUID(), issues: [] }
    log.info({ code, request_id: body.request_id }, 'request refused')
    const text = JSON.stringify(body)
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(text)}`,
        'cache-control: no-store',
        `x-request-id: ${body.request_id}`,
        'connection: close',
        '',
        text,
      ].join('\r\n'),
    )
  }
  server.on('clientError', (error, socket) => {
    const code = errorCode(error) ?? ''
    const current: unknown = Reflect.get(socket, '_httpMessage')
    const response = current instanceof ServerResponse ? current : undefined
    const isWithinOther = response?.headersSent && !response.req.complete
    if (code === 'ECONNRESET' || isWithinOther) socket.destroy()
    // behind a good request, whose answer comes first
    else if (response?.req.complete && !response.writableFinished)
      response.once('finish', () => answer(code, socket))
    else answer(code, socket)
  })
  server.on('connect', (_, socket) => answer('', socket))
  // unknown expectations are ignored
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
