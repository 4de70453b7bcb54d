/** The Redis serialization protocol, version 2. */

export type Reply = string | number | null | { status: string } | { error: string } | Reply[]

export function encode(reply: Reply): string {
  if (reply === null) return '$-1\r\n'
  if (typeof reply === 'number') return `:${reply}\r\n`
  if (typeof reply === 'string') return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`
  if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(encode).join('')}`
  return 'error' in reply ? `-${reply.error}\r\n` : `+${reply.status}\r\n`
}

/** The complete commands in a buffer, and the bytes of one that has not arrived completely. */
export function commandsIn(buffer: Buffer): { commands: string[][]; left: Buffer } {
  const commands: string[][] = []
  let at = 0
  for (;;) {
    const read = commandAt(buffer, at)
    if (!read) return { commands, left: buffer.subarray(at) }
    commands.push(read.command)
    at = read.end
  }
}

function commandAt(buffer: Buffer, start: number) {
  let at = start
  const line = () => {
    const end = buffer.indexOf('\r\n', at)
    if (end < 0) return undefined
    const text = buffer.toString('latin1', at + 1, end)
    at = end + 2
    return Number(text)
  }
  const count = line()
  if (count === undefined) return undefined
  const command: string[] = []
  for (let i = 0; i < count; i++) {
    const length = line()
    if (length === undefined || at + length + 2 > buffer.length) return undefined
    command.push(buffer.toString('utf8', at, at + length))
    at += length + 2
  }
  return { command, end: at }
}
