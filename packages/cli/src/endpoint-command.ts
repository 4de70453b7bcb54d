import { createWriteStream, openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { RemoteFile } from '@switchroom/client'
import { kebab } from '@switchroom/contract'
import { Argument, Command, Option } from 'commander'
import { UsageError } from './exit.ts'
import { sidOf } from './names.ts'
import { machineText, rowsOf } from './output.ts'
import type { Flag, Row } from './rows.ts'
import type { Session } from './session.ts'
import { table } from './table.ts'
import { bodyIn, parseFlag } from './values.ts'
import { watching } from './watch.ts'

type Given = Record<string, string | boolean | undefined>
type Request = { params: Given; query: Record<string, unknown>; body?: unknown; version?: string }
type Call = ((request: object, options?: object) => Promise<unknown>) & {
  items: (request: object) => AsyncIterable<unknown>
}

type Called = { row: Row; call: Call; own: string | undefined }

const OWNERS = ['account_sid', 'service_provider_sid'] as const

/** A command for an endpoint, with an argument or a flag for each of its parameters. */
export function endpointCommand(
  group: string,
  name: string,
  row: Row,
  session: (command: Command) => Session,
): Command {
  const command = new Command(kebab(name)).description(row.summary)
  for (const arg of row.args)
    command.addArgument(new Argument(`<${kebab(arg.replace(/_sid$/, ''))}>`, meaningOf(arg)))
  if (isUpload(row)) command.argument('<file>', 'the file, or - to read it')
  for (const option of optionsOf(row)) command.addOption(option)
  return command.action(async (...called) => {
    const to = session(command)
    const texts = called.slice(0, row.args.length + (isUpload(row) ? 1 : 0)) as string[]
    const call = (to.api as unknown as Record<string, Record<string, Call>>)[group]![name]!
    const request = await requestOf(to, row, texts, command.opts())
    const show = () => answer(to, { row, call, own: ownSid(group, row) }, request, command.opts())
    if (row.method === 'GET' && to.globals.watch) return watching(to, show)
    await show()
  })
}

/** The member of an answer that is the sid of what it shows, which its name stands for. */
const ownSid = (group: string, { args }: Row) => args.at(-1) ?? table[group]?.view?.args.at(-1)

const isUpload = ({ takesCsv, takesFile }: Row) => Boolean(takesCsv || takesFile)
const isFile = ({ file, stream, download, sound, picture }: Row) =>
  Boolean(file || stream || download || sound || picture)

const meaningOf = (arg: string) =>
  arg.endsWith('_sid')
    ? `the name or sid of the ${arg.replace(/_sid$/, '').replaceAll('_', ' ')}`
    : ''

/** The same flag may be a part of the path, the query and the body. */
function distinct(flags: Flag[]) {
  const byName = new Map<string, Flag>()
  for (const flag of flags) if (!byName.has(flag.name)) byName.set(flag.name, flag)
  return [...byName.values()]
}

function optionsOf(row: Row): Option[] {
  const options = distinct(row.flags).map((flag) => {
    const value = flag.type === 'flag' ? '[true|false]' : `<${flag.type}>`
    const option = new Option(
      `--${kebab(flag.name)} ${value}`,
      flag.required && flag.in !== 'path' ? 'required' : '',
    )
    if (flag.choices) option.argChoices = flag.choices
    return option
  })
  if (row.takesBody && !isUpload(row))
    options.push(
      new Option('--data <json>', 'the body as JSON, @file, or - to read it; flags come on top'),
    )
  if (row.versioned)
    options.push(new Option('--if-match <version>', 'fail if it was changed since this version'))
  if (row.paged) options.push(new Option('--all-pages', 'all pages, of 500 rows each'))
  if (isFile(row)) options.push(new Option('--output <file>', 'write to this file'))
  if (row.creates)
    options.push(
      new Option('--idempotency-key <key>', 'do it once, however often it is sent with this key'),
    )
  return options
}

const attribute = (name: string) => kebab(name).replace(/-(\w)/g, (_, c: string) => c.toUpperCase())

async function requestOf(
  session: Session,
  row: Row,
  texts: string[],
  given: Given,
): Promise<Request> {
  const params: Given = {}
  for (const [i, arg] of row.args.entries()) params[arg] = await sidOf(session.api, arg, texts[i]!)
  const request: Request = { params, query: {} }
  const body = await dataOf(session, given)
  for (const flag of row.flags) {
    const value = await flagValue(session, flag, given)
    if (value === undefined) continue
    if (flag.in === 'path') params[flag.name] = String(value)
    else if (flag.in === 'query') request.query[flag.name] = value
    else body[flag.name] = value
  }
  if (isUpload(row)) request.body = await uploadOf(session, texts.at(-1)!)
  else if (row.takesBody) request.body = body
  if (given.ifMatch) request.version = String(given.ifMatch)
  return request
}

async function flagValue(session: Session, flag: Flag, given: Given): Promise<unknown> {
  const text = given[attribute(flag.name)]
  if (text !== undefined) {
    const value = parseFlag(flag, text)
    return typeof value === 'string' && value !== '' ? sidOf(session.api, flag.name, value) : value
  }
  const owner = OWNERS.find((name) => name === flag.name)
  if (flag.in !== 'path' || !owner) return undefined
  const own = session.server[owner]
  if (!own)
    throw new UsageError(
      `Name the ${owner.replace(/_sid$/, '').replace('_', ' ')}: --${kebab(owner)}`,
    )
  return own
}

async function dataOf({ terminal }: Session, { data }: Given): Promise<Record<string, unknown>> {
  if (data === undefined) return {}
  return bodyIn(
    data === '-' ? await text(Readable.fromWeb(terminal.stdin() as never)) : String(data),
  )
}

async function uploadOf({ terminal }: Session, file: string) {
  if (file === '-') return terminal.stdin()
  try {
    return await openAsBlob(file)
  } catch {
    throw new UsageError(`${file} cannot be read`)
  }
}

async function answer(session: Session, called: Called, request: Request, given: Given) {
  const { row, call, own } = called
  if (given.allPages && row.paged) return showAll(session, called, row.paged, request)
  const onProgress = (progress: { done: number; rows: number }) =>
    session.progress(progress.done, progress.rows, 'rows')
  const progress = (row.takesCsv || row.tellsProgress) && { onProgress }
  const idempotencyKey = given.idempotencyKey && { idempotencyKey: given.idempotencyKey }
  const found = await call(request, { ...progress, ...idempotencyKey })
  if (found instanceof RemoteFile) return save(session, found, given.output)
  await session.show(relayed(row, found), own)
  if (row.takesCsv) refuseBadRows(found)
}

/** The answer of a feature server, without its envelope. */
const relayed = (row: Row, found: unknown) =>
  row.relayed ? (found as { body?: unknown } | undefined)?.body : found

function refuseBadRows(verdict: unknown) {
  const { bad_rows } = verdict as { bad_rows: number }
  if (bad_rows > 0) throw new UsageError(`${bad_rows} rows have errors. Nothing was imported.`)
}

async function showAll(session: Session, { call, own }: Called, size: string, request: Request) {
  const { jsonl } = session.globals
  const rows: unknown[] = []
  for await (const item of call.items({ ...request, query: { [size]: PAGE, ...request.query } }))
    if (jsonl) session.terminal.out(machineText(rowsOf(item), session.globals)!)
    else rows.push(item)
  if (!jsonl) await session.show(rows, own)
}

/** The largest page of calls. */
const PAGE = 500

async function save({ terminal }: Session, file: RemoteFile, output: string | boolean | undefined) {
  const bytes = Readable.fromWeb(file.stream as never)
  if (output) await pipeline(bytes, createWriteStream(String(output)))
  else if (/^text|ndjson|json/.test(file.type))
    for await (const chunk of bytes.setEncoding('utf8')) terminal.out(chunk)
  else
    throw new UsageError(
      `This is a file (${file.type}). Name where it goes: --output ${file.name ?? 'file'}`,
    )
}
