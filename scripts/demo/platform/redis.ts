import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { Keys, matches } from './keys.ts'
import { commandsIn, encode, type Reply } from './resp.ts'

/**
 * The platform's Redis, as far as Switchroom talks to it, so that the demo has live calls without one. It speaks the
 * Redis protocol on a local port, and forgets everything when it stops.
 */
export class PlatformRedis {
  readonly keys = new Keys()
  #server: Server
  #sockets = new Set<Socket>()

  private constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket) => this.#serve(socket))
  }

  static async listen(port: number) {
    const redis = new PlatformRedis(createServer())
    await new Promise<void>((resolve, reject) => {
      redis.#server.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
    return redis
  }

  get port() {
    return (this.#server.address() as AddressInfo).port
  }

  close() {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #serve(socket: Socket) {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let rest: Buffer = Buffer.alloc(0)
    // the commands of a transaction that was begun
    let queued: string[][] | undefined
    const answer = ([name = '', ...args]: string[]): Reply => {
      const command = name.toLowerCase()
      if (command === 'multi') {
        queued = []
        return { status: 'OK' }
      }
      if (command === 'exec') {
        const all = queued ?? []
        queued = undefined
        return all.map(([name = '', ...args]) => this.#run(name.toLowerCase(), args))
      }
      if (queued) {
        queued.push([name, ...args])
        return { status: 'QUEUED' }
      }
      return this.#run(command, args)
    }
    socket.on('data', (chunk) => {
      const { commands, left } = commandsIn(Buffer.concat([rest, chunk]))
      rest = left
      socket.write(commands.map((command) => encode(answer(command))).join(''))
    })
  }

  #run(command: string, args: string[]): Reply {
    const [key = '', ...rest] = args
    const { keys } = this
    switch (command) {
      case 'ping':
        return { status: 'PONG' }
      case 'select':
      case 'client':
        return { status: 'OK' }
      case 'info':
        return 'redis_version:7.4.0\r\nredis_mode:standalone\r\nloading:0\r\nrole:master\r\n'
      case 'mget':
        return args.map((name) => keys.text(name) ?? null)
      case 'set':
        // the only option that Switchroom sends is EX
        keys.set(key, rest[0]!, rest[1] === undefined ? undefined : Number(rest[2]))
        return { status: 'OK' }
      case 'incr':
        return keys.add(key, 1)
      case 'expire':
        return keys.expire(key, Number(rest[0])) ? 1 : 0
      case 'del':
      case 'unlink':
        return args.filter((name) => keys.delete(name)).length
      case 'eval':
        return this.#evaluate(rest)
      case 'scan':
        return ['0', keys.names(argument(rest, 'MATCH') ?? '*')]
      case 'hmget':
        return rest.map((field) => keys.hash(key).get(field) ?? null)
      case 'hgetall':
        return [...keys.hash(key)].flat()
      case 'smembers':
        return [...keys.members(key)]
      case 'scard':
        return keys.members(key).size
      default:
        return this.#sorted(command, key, rest)
    }
  }

  /** The one script there is: subtracts one from counts that exist, and deletes the other keys. */
  #evaluate([count = '0', ...args]: string[]): Reply {
    const counts = args.slice(0, Number(count))
    for (const key of counts) if (this.keys.text(key) !== undefined) this.keys.add(key, -1)
    for (const key of args.slice(Number(count))) this.keys.delete(key)
    return null
  }

  #sorted(command: string, key: string, args: string[]): Reply {
    const { keys } = this
    const set = keys.sorted(key)
    const ascending = () => [...set].sort((a, b) => a[1] - b[1])
    const withScores = (found: [string, number][]) =>
      found.flatMap(([member, score]) => [member, String(score)])
    switch (command) {
      case 'zcard':
        return set.size
      case 'zrem':
        return args.filter((member) => set.delete(member)).length
      case 'zmscore':
        return args.map((member) => (set.has(member) ? String(set.get(member)) : null))
      case 'zrevrange':
        return withScores(
          ascending()
            .reverse()
            .slice(0, Number(args[1]) + 1),
        )
      case 'zscan':
        return ['0', withScores(ascending().filter(([m]) => matches(argument(args, 'MATCH')!, m)))]
      case 'zrangebyscore':
        return withScores(ascending().filter(([, score]) => score >= Number(args[0])))
      case 'zremrangebyscore': {
        const over = ascending().filter(([, score]) => score <= Number(args[1]))
        for (const [member] of over) set.delete(member)
        return over.length
      }
      default:
        return { error: `ERR unknown command '${command}'` }
    }
  }
}

const argument = (args: string[], name: string) => {
  const at = args.findIndex((arg) => arg.toUpperCase() === name)
  return at < 0 ? undefined : args[at + 1]
}
