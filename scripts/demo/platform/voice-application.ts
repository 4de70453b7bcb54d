import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { DIALOGUES } from '../dialogues.ts'

const { application, path, turns, farewell } = DIALOGUES.hospitality

/** An application that is really there, so that it can be tried: the booking assistant that the calls of the demo are with. */
export const TRIED = { name: `${application} (try it)`, path: `/${path}` }

const listen = (turn: number, prompt: string) => ({
  verb: 'gather',
  input: ['speech'],
  actionHook: `/${path}/${turn + 1}`,
  timeout: 8,
  say: { text: prompt },
})

/** The verbs of a turn, after what was heard in the one before. */
function verbsOf(turn: number, isHeard: boolean) {
  const before = turns[turn - 1]
  if (before && !isHeard) return [listen(turn - 1, `Sorry, I did not hear you. ${before.says}`)]
  const next = turns[turn]
  return next ? [listen(turn, next.says)] : [{ verb: 'say', text: farewell }, { verb: 'hangup' }]
}

export async function voiceApplication(port: number) {
  const server = createServer(async (request, response) => {
    const [, root, turn = '0'] = /^\/(\w+)(?:\/(\d+))?$/.exec(request.url ?? '') ?? []
    const body = await text(request)
    if (root !== path) {
      // its status hook
      response.writeHead(root === 'status' ? 200 : 404).end()
      return
    }
    const verbs = verbsOf(Number(turn), body.includes('"transcript"'))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(verbs))
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
