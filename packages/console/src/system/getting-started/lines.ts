import { type Door, type GettingStarted, type Step, t } from '@switchroom/contract'

/** Lines to paste into the configuration of a component. */
export type Paste = { where: string; lines: string }
export type Setup = { text?: string; warning?: string; pastes: Paste[] }

type Doors = NonNullable<GettingStarted['doors']>
/** The address that this server is reached at, as the browser sees it. */
export type Here = { hostname: string; host: string; protocol: string }

/** The platform's InfluxDB client knows no other. */
const INFLUX_PORT = 8086
const DOORS = {
  calls: {
    door: 'calls',
    variable: 'SWITCHROOM_INGEST_INFLUX',
    port: INFLUX_PORT,
    store: 'InfluxDB',
  },
  traces: { door: 'traces', variable: 'SWITCHROOM_INGEST_OTLP', port: 4318, store: t('Jaeger') },
  sip: { door: 'sip', variable: 'SWITCHROOM_INGEST_HEP', port: 9060, store: t('Homer') },
} as const satisfies Partial<
  Record<Step, { door: keyof Doors; variable: string; port: number; store: string }>
>

const isLoopback = (host: string) => /^(127\.|localhost$|::1$)/.test(host)
const isAny = (host: string) => host === '0.0.0.0' || host === '::'

/** `host` as a component reaches it: what the server is bound to, unless that is every address or only itself. */
const reached = (bound: string, { hostname }: Here) =>
  isAny(bound) || isLoopback(bound) ? hostname : bound

const pastesFor = (step: keyof typeof DOORS, host: string, port: number): Paste[] =>
  ({
    calls: [
      {
        where: t('Environment of feature servers and SBCs'),
        lines: `JAMBONES_TIME_SERIES_HOST=${host}`,
      },
    ],
    traces: [
      {
        where: t('Environment of feature servers'),
        lines: `JAMBONES_OTEL_ENABLED=1\nOTEL_EXPORTER_COLLECTOR_URL=http://${host}:${port}/v1/traces`,
      },
    ],
    sip: [
      { where: t('Command line of drachtio'), lines: `--homer ${host}:${port} --homer-id 10` },
      {
        where: t('Command line of rtpengine'),
        lines: `--homer=${host}:${port} --homer-protocol=udp --homer-id=11`,
      },
    ],
  })[step]

/** How components are told to send what a step waits for. Undefined for other steps. */
export function setupOf(step: Step, doors: Doors, here: Here): Setup | undefined {
  if (step === 'recordings')
    return {
      text: t(
        'Set JAMBONZ_RECORD_WS_USERNAME and JAMBONZ_RECORD_WS_PASSWORD to the same values here and there.',
      ),
      pastes: [
        {
          where: t('Environment of feature servers'),
          lines: `JAMBONZ_RECORD_WS_BASE_URL=${here.protocol === 'https:' ? 'wss' : 'ws'}://${here.host}`,
        },
      ],
    }
  if (!(step in DOORS)) return undefined
  const known = step as keyof typeof DOORS
  const { door: name, variable, port: usual, store } = DOORS[known]
  const door: Door = doors[name]
  if (door.kind === 'elsewhere')
    return {
      text: t('This server reads them from {store}. Components send them there.', { store }),
      pastes: [],
    }
  if (door.kind === 'off')
    return {
      text: t('Start this server with:'),
      pastes: [
        { where: t('Environment of this server'), lines: `${variable}=0.0.0.0:${usual}` },
        ...pastesFor(known, here.hostname, usual),
      ],
    }
  const warning = isLoopback(door.host)
    ? t('This server listens on {host} only. Components on other machines need {setting}.', {
        host: door.host,
        setting: `${variable}=0.0.0.0:${door.port}`,
      })
    : known === 'calls' && door.port !== INFLUX_PORT
      ? t(
          'Components send call records to port {INFLUX_PORT}, but this server listens on {port}.',
          { INFLUX_PORT, port: door.port },
        )
      : undefined
  return {
    ...(warning && { warning }),
    pastes: pastesFor(known, reached(door.host, here), door.port),
  }
}
