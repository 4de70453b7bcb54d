import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chdbProgram, freePort } from '../../../scripts/services.ts'

const PROGRAM = fileURLToPath(new URL('./clickhouse-node.py', import.meta.url))
const library = () =>
  globSync(join(dirname(dirname(chdbProgram)), '@chdb/*/libchdb.so')).find((path) =>
    existsSync(path),
  )

/** True if the engine is installed, and what starts it as a server. */
export const canCluster =
  library() !== undefined && spawnSync('python3', ['-c', 'import ctypes']).status === 0

const ON_CLUSTER = / ON CLUSTER `?\w+`?/
/** The engine of a table without its replication. */
const unreplicated = (statement: string) =>
  statement.replace(/Replicated(\w+MergeTree)\('[^']*', '[^']*'(?:, )?/g, '$1(')

export type Node = { name: string; http: number; tcp: number; program?: ChildProcess }

/**
 * A cluster of ClickHouse's own engine: each server is a shard. A server before each one does what these lack: it sends
 * statements `ON CLUSTER` to all that run, and makes tables without replication. Resolves to the addresses of these.
 */
export async function startCluster(folder: string, count: number) {
  const nodes: Node[] = await Promise.all(
    Array.from({ length: count }, async (_, i) => ({
      name: `node${i + 1}`,
      http: await freePort(),
      tcp: await freePort(),
    })),
  )
  const shards = nodes.map(
    ({ tcp }) =>
      `<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host><port>${tcp}</port></replica></shard>`,
  )
  const send = async ({ http }: Node, path: string, body: string) => {
    const answer = await fetch(`http://127.0.0.1:${http}${path}`, { method: 'POST', body })
    return {
      status: answer.status,
      headers: answer.headers,
      body: Buffer.from(await answer.arrayBuffer()),
    }
  }
  const start = async (node: Node) => {
    const config = join(folder, `${node.name}.xml`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      config,
      `<clickhouse><remote_servers><calls>${shards.join('')}</calls></remote_servers><listen_host>127.0.0.1</listen_host>
       <macros><shard>${node.name}</shard><replica>1</replica></macros>
       <tcp_port>${node.tcp}</tcp_port><http_port>${node.http}</http_port></clickhouse>`,
    )
    node.program = spawn('python3', [PROGRAM, library()!, config, join(folder, node.name)], {
      stdio: 'ignore',
    })
    for (let tries = 0; ; tries++)
      try {
        await send(node, '/', 'SELECT 1')
        return
      } catch (e) {
        if (tries > 300) throw e
        await new Promise((done) => setTimeout(done, 100))
      }
  }
  const kill = (node: Node) =>
    new Promise<void>((done) => {
      if (!node.program || node.program.exitCode !== null || node.program.signalCode) return done()
      node.program.once('exit', () => done())
      node.program.kill('SIGKILL')
    })
  const fronts: Server[] = []
  const front = async (node: Node) => {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const body = Buffer.concat(chunks)
      try {
        const text = body.toString()
        if (!ON_CLUSTER.test(text)) {
          const { status, headers, body: answer } = await send(node, request.url!, text)
          const code = headers.get('x-clickhouse-exception-code')
          response
            .writeHead(status, code ? { 'x-clickhouse-exception-code': code } : {})
            .end(answer)
          return
        }
        const made = unreplicated(text.replace(ON_CLUSTER, ''))
        const statement = / UUID '/.test(made)
          ? made
          : made.replace(/^(CREATE TABLE IF NOT EXISTS \S+)/, `$1 UUID '${randomUUID()}'`)
        for (const each of nodes.filter(({ program }) => program)) {
          const { status, body: answer } = await send(each, request.url!, statement)
          if (status !== 200) return void response.writeHead(status).end(answer)
        }
        response.end()
      } catch {
        response.destroy()
      }
    })
    fronts.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  return {
    nodes,
    start,
    kill,
    send,
    urls: await Promise.all(nodes.map(front)),
    async stop() {
      for (const server of fronts) {
        server.closeAllConnections()
        server.close()
      }
      await Promise.all(nodes.map(kill))
    },
  }
}
