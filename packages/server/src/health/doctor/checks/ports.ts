import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { t } from '@switchroom/contract'
import { type Port, portsOf, variablesOf, whyNotListening } from '../../../config/ports.ts'
import { errorCode } from '../../../errors/members.ts'
import { askCapabilities } from '../ask-capabilities.ts'
import type { Check } from '../check.ts'
import { type Finding, ok, problem } from '../finding.ts'
import { type Owner, ownerOf } from '../listening.ts'
import type { Site } from '../site.ts'

const ANSWER_MS = 2_000

/** Whether each port is free, or a running Switchroom's. */
export const ports: Check = {
  name: 'ports',
  needs: /^HTTP_|^SWITCHROOM_INGEST_/,
  async run(site) {
    const [http, ...intake] = portsOf(site.config).filter(({ port }) => port !== 0)
    if (!http) return ok(t('Any free port is used.'))
    const server = await httpFinding(http, site)
    const others = await Promise.all(intake.map((port) => intakeFinding(port, site, server.owner)))
    return [server.finding, ...others]
  },
}

const at = ({ host, port }: Port) => `${host.includes(':') ? `[${host}]` : host}:${port}`

async function httpFinding(port: Port, { isServer, environment }: Site) {
  if (isServer)
    return { finding: ok(t('This server listens at {at}.', { at: at(port) })), owner: self }
  const code = await tryTcp(port)
  if (!code) return { finding: ok(t('{at} is free.', { at: at(port) })), owner: undefined }
  const owner = ownerOf(port.port)
  if (code === 'EADDRINUSE' && (await isSwitchroomAt(port)))
    return {
      finding: ok(t('A running Switchroom listens at {at}.', { at: at(port) })),
      owner: owner ?? 'another user’s',
    } as const
  return { finding: taken(port, code, owner, environment), owner: undefined }
}

const self = { pid: process.pid, command: t('this server') }

/** A port for call data belongs to the process that has the HTTP port. */
async function intakeFinding(
  port: Port,
  { isServer, environment }: Site,
  server: Owner | 'another user’s' | undefined,
): Promise<Finding> {
  const isHep = port.names.includes('SWITCHROOM_INGEST_HEP')
  const udp = isHep ? await tryUdp(port) : undefined
  const code = (await tryTcp(port)) ?? udp
  if (!code) {
    if (!isServer && !server) return ok(t('{at} is free.', { at: at(port) }))
    return problem(
      t('The running server should listen at {at} ({variables}) and does not.', {
        at: at(port),
        variables: variablesOf(port, environment).join(', '),
      }),
      t(
        'Start the server again: it was started without this variable, or the listener has failed, which its log says.',
      ),
    )
  }
  const owner = ownerOf(port.port) ?? ownerOf(port.port, 'udp')
  const isOurs =
    server === 'another user’s' || (server && (owner === undefined || owner.pid === server.pid))
  if (code === 'EADDRINUSE' && isOurs)
    return ok(t('The running Switchroom listens at {at} for call data.', { at: at(port) }))
  return taken(port, code, owner, environment)
}

function taken(
  port: Port,
  code: string,
  owner: Owner | undefined,
  environment: Site['environment'],
): Finding {
  const variables = variablesOf(port, environment)
  const named = variables.join(', ')
  const reason = whyNotListening(variables, code, at(port))
  if (code === 'EADDRINUSE') {
    const variable = named.replace('HTTP_HOST, ', '')
    return problem(
      owner
        ? t(
            '{variable}: another program already listens at {at}. It is {command} with the process ID {pid}.',
            {
              variable,
              at: at(port),
              command: owner.command || t('a program'),
              pid: owner.pid,
            },
          )
        : reason,
      t('Stop that program, or set {variable} to another port. To see it: {search}', {
        variable,
        search: `ss -lntup | grep :${port.port}`,
      }),
    )
  }
  if (code === 'EACCES')
    return problem(
      reason,
      t('Use a port from 1024 on, with a reverse proxy in front, and set {named} to it.', {
        named,
      }),
    )
  return problem(reason, t('Set {named} to an address and port of this machine.', { named }))
}

/** The code of the error with which listening fails; undefined if it works. */
const tryTcp = ({ host, port }: Port) =>
  new Promise<string | undefined>((resolve) => {
    const server = createServer().once('error', (e) => resolve(errorCode(e) ?? 'unknown'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })

const tryUdp = ({ host, port }: Port) =>
  new Promise<string | undefined>((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    socket.once('error', (e) => {
      socket.close()
      resolve(errorCode(e) ?? 'unknown')
    })
    socket.bind({ port, address: host, exclusive: true }, () =>
      socket.close(() => resolve(undefined)),
    )
  })

const ANY: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

async function isSwitchroomAt(port: Port) {
  const host = ANY[port.host] ?? (port.host.includes(':') ? `[${port.host}]` : port.host)
  return askCapabilities(`http://${host}:${port.port}`, ANSWER_MS).then(
    ({ isSwitchroom }) => isSwitchroom,
    () => false,
  )
}
