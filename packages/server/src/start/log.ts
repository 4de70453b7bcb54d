import pino from 'pino'

/** Fields that are masked in every logged object, up to two levels deep. */
const REDACTED = [
  'authorization',
  'password',
  'token',
  'secret',
  'hashed_password',
  'webhook_secret',
  'sqlParameters',
  'parameters',
  'sql',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/** The log of the server, on standard output unless a destination is given. */
export const openLog = (level: string, destination?: pino.DestinationStream) =>
  pino({ level, redact: REDACTED }, destination ?? pino.destination(1))
