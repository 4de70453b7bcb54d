import { t } from '@switchroom/contract'
import type { Config } from './config.ts'

export type Port = { names: string[]; host: string; port: number }

/** The ports that the server listens on, with their variables. */
export function portsOf(config: Config): Port[] {
  const { telemetry, traces, captures } = config
  const ports: Port[] = [
    { names: ['HTTP_HOST', 'HTTP_PORT'], host: config.host, port: config.port },
  ]
  if (telemetry.kind !== 'influx' && telemetry.listen)
    ports.push({ names: ['SWITCHROOM_INGEST_INFLUX'], ...telemetry.listen })
  if (captures.kind !== 'homer' && captures.listen)
    ports.push({ names: ['SWITCHROOM_INGEST_HEP'], ...captures.listen })
  if (traces.kind !== 'jaeger')
    for (const at of traces.listen)
      ports.push({ names: ['SWITCHROOM_INGEST_OTLP', 'SWITCHROOM_INGEST_JAEGER'], ...at })
  return ports
}

/** The variables that set this port. OTLP and Jaeger share a store: the one set to it is meant. */
export const variablesOf = (
  { names, port }: Port,
  environment: Record<string, string | undefined>,
) => names.filter((name) => !name.includes('INGEST') || environment[name]?.endsWith(String(port)))

/** Why a port cannot be listened on, naming the variables to change. */
export function whyNotListening(names: string[], code: string | undefined, at: string) {
  const host = names.filter((name) => name !== 'HTTP_PORT').join(', ')
  const variable = names.filter((name) => name !== 'HTTP_HOST').join(', ')
  const port = at.slice(at.lastIndexOf(':') + 1)
  if (code === 'EADDRINUSE')
    return t('{variable}: another program already listens at {at}.', { variable, at })
  if (code === 'EACCES' || code === 'EPERM')
    return t('{variable}: this user is not allowed to listen on port {port}.', { variable, port })
  if (code === 'EADDRNOTAVAIL')
    return t('{host}: this machine does not have the address {address}.', {
      host,
      address: at.slice(0, at.lastIndexOf(':')),
    })
  return t('{variable}: cannot listen at {at} ({code}).', { variable, at, code })
}
