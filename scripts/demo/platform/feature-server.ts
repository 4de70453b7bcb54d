import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

export type Commands = {
  /** Ends a call. Whether there was one. */
  hangUp: (call_sid: string) => boolean
  /** Begins an outbound call. Undefined if it cannot. */
  create: (request: Record<string, unknown>) => { sid: string; callId: string } | undefined
  isLive: (call_sid: string) => boolean
}

/**
 * Answers what Switchroom asks of a feature server (to create, change and end calls), and takes the alerts that it
 * sends to the demo's alert destination.
 */
export async function featureServer(port: number, commands: Commands) {
  const answer = (path: string, body: Record<string, unknown>): [status: number, body?: object] => {
    const [, name, sid = ''] = /^\/(?:v1\/)?(\w+)(?:\/([\w-]+))?$/.exec(path) ?? []
    if (name === 'alerts') return [204]
    if (name === 'createCall') {
      const created = commands.create(body)
      return created ? [201, created] : [480, { msg: 'The demo knows no such account' }]
    }
    if (name === 'updateCall') {
      const ends = body.call_status === 'completed' || body.call_status === 'no-answer'
      return (ends ? commands.hangUp(sid) : commands.isLive(sid)) ? [202] : [404]
    }
    return [501, { msg: 'The demo has no such function' }]
  }
  const server = createServer(async (request, response) => {
    let body: Record<string, unknown> = {}
    try {
      body = JSON.parse((await text(request)) || '{}')
    } catch {
      response.writeHead(400).end()
      return
    }
    const [status, reply] = answer(request.url ?? '', body)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(reply && JSON.stringify(reply))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return {
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
