import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { NotFound, type Switchroom } from '@switchroom/client'
import { apply, type Run } from '@switchroom/config/apply'
import { Outdated, Refused } from '@switchroom/config/apply-refusals'
import { exported } from '@switchroom/config/export'
import {
  type File,
  isConfig,
  parsedFiles,
  readVariables,
  replaceVariables,
} from '@switchroom/config/files'
import { KINDS } from '@switchroom/config/kinds'
import { meaningsOf } from '@switchroom/config/meaning'
import { isSid } from '@switchroom/config/names'
import { type Plan, planned } from '@switchroom/config/plan'
import { ConfigError } from '@switchroom/config/problem'
import type { Owner } from '@switchroom/config/read'
import { schemaOf } from '@switchroom/config/schema'
import type { Values } from '@switchroom/config/values'
import { EXIT, exitCodeOf, Stopped, textOf, UsageError } from './exit.ts'
import { sidOf } from './names.ts'
import { ownerOf } from './owner.ts'
import { meaningText, planJson, planText } from './plan-text.ts'
import type { Session } from './session.ts'
import { readFile } from './values.ts'

export type Whose = { account?: string; provider?: string }
export type Given = Whose & {
  vars?: string[]
  var?: string[]
  check?: boolean
  delete?: boolean
  yes?: boolean
  meaning?: boolean
}

const SCHEMAS = '.schema'
/** Names an application that is not done. */
const MARKER = '.switchroom-apply'

/** `export`: writes what an owner has as files. */
export async function exportTo(session: Session, folder: string, given: Whose) {
  const { api, terminal } = session
  const owner = await whose(session, given, false)
  const texts = await exported(api, owner)
  mkdirSync(join(folder, SCHEMAS), { recursive: true })
  for (const kind of KINDS) {
    const name = `${kind.file}.yaml`
    const file = join(folder, name)
    // what there is none of any more is not left as it was
    const text = texts.get(name) ?? (existsSync(file) ? '[]\n' : undefined)
    if (text === undefined) continue
    writeFileSync(file, text)
    writeFileSync(
      join(folder, SCHEMAS, `${kind.file}.json`),
      `${JSON.stringify(schemaOf(kind), null, 2)}\n`,
    )
  }
  terminal.out(
    `Exported ${nameOf(owner)} to ${folder}: ${[...texts.keys()].join(', ') || 'nothing'}\n`,
  )
}

/** `plan`: shows what `apply` would change. */
export async function showPlan(
  session: Session,
  folder: string,
  given: Given,
  exit: (code: number) => void,
) {
  const plan = await planOf(session, folder, given)
  const meanings =
    given.meaning === false ? [] : await Array.fromAsync(meaningsOf(session.api, plan))
  const { json, jsonl, query } = session.globals
  if (json || jsonl || query) await session.show(planJson(plan, meanings))
  else session.terminal.out(planText(plan, session.style) + meaningText(meanings, plan))
  if (given.check && plan.changes.length > 0) exit(EXIT.problems)
}

/** `apply`: makes an owner's things what files say. */
export async function applyFrom(session: Session, folder: string, given: Given) {
  const { api, terminal, style } = session
  const plan = await planOf(session, folder, given)
  terminal.out(planText(plan, style))
  const lost = plan.changes.filter(({ action }) => action === 'delete' || action === 'replace')
  const deletes = Boolean(given.delete)
  if (deletes && lost.length > 0 && !given.yes) await confirm(session, lost.length)
  const changes = plan.changes.length - (deletes ? 0 : lost.length)
  if (changes === 0) return
  const run = runIn(folder, `${session.server.url} ${nameOf(plan.owner)}`)
  let made = 0
  const onStep = ({ done, of }: { done: number; of: number }) => {
    made = done
    session.progress(done, of, 'changes')
  }
  try {
    made = await apply(api, plan, { run, deletes, onStep })
    session.progress(made, made, 'changes')
  } catch (error) {
    const rest = `${made} of ${changes} changes are made. Run it again to go on.`
    throw stopped(error, rest)
  }
  rmSync(join(folder, MARKER), { force: true })
  terminal.out(`Made ${made === 1 ? '1 change' : `${made} changes`}.\n`)
}

function stopped(error: unknown, rest: string) {
  if (error instanceof Outdated) return new Stopped(`${error.message}\n${rest}`, EXIT.conflict)
  const cause = error instanceof Refused ? error.cause : error
  const [message, ...details] = textOf(cause).split('\n')
  const said = error instanceof Refused ? error.message : message
  return new Stopped([said, ...details, rest].join('\n'), exitCodeOf(cause))
}

async function confirm({ terminal }: Session, count: number) {
  const things = count === 1 ? '1 thing' : `${count} things`
  if (!terminal.isTerminal) throw new UsageError(`This deletes ${things}. Add --yes to do that.`)
  const answer = await terminal.answer(`Delete ${things}? Type yes: `)
  if (answer.trim() !== 'yes') throw new UsageError('Nothing was changed')
}

/** The application that was stopped here, if its files are for the same owner; else a new one. */
function runIn(folder: string, target: string): Run {
  const file = join(folder, MARKER)
  const [name, whose] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  if (name && whose === target) return { name, isResumed: true }
  const fresh = crypto.randomUUID()
  writeFileSync(file, `${fresh}\n${target}\n`)
  return { name: fresh, isResumed: false }
}

const nameOf = ({ account, provider }: Owner) =>
  account ? `account ${account.name}` : `provider ${provider.name}`

async function planOf(session: Session, folder: string, given: Given): Promise<Plan> {
  const owner = await whose(session, given, true)
  try {
    const values = variablesIn(given)
    const files = replaceVariables(parsedFiles(filesIn(folder)), values)
    return await planned(session.api, owner, files, session.terminal.env)
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error
  }
}

function filesIn(folder: string): File[] {
  let names: string[]
  try {
    names = readdirSync(folder).filter(isConfig).sort()
  } catch {
    throw new UsageError(`${folder} is no folder that can be read`)
  }
  if (names.length === 0) throw new UsageError(`${folder} has no files such as phone-numbers.yaml`)
  return names.map((name) => ({ name, text: readFile(join(folder, name)) }))
}

/** Values for variables: later files and flags win. */
function variablesIn({ vars = [], var: given = [] }: Given): Values {
  const values: Values = {}
  for (const file of vars)
    Object.assign(values, readVariables({ name: basename(file), text: readFile(file) }))
  for (const pair of given) {
    const [name, ...value] = pair.split('=')
    if (!name || value.length === 0) throw new UsageError(`--var takes name=value, not "${pair}"`)
    values[name] = value.join('=')
  }
  return values
}

/** Whose configuration it is. `mayLack`: an account that is not there yet is created in its provider. */
async function whose(
  session: Session,
  { account, provider }: Whose,
  mayLack: boolean,
): Promise<Owner> {
  const { api, server } = session
  const own = server.name ? server : await ownerOf(api)
  const providerSid = provider
    ? await sidOf(api, 'service_provider_sid', provider)
    : own.service_provider_sid
  const sid = account ? await accountCalled(api, account, providerSid) : own.account_sid
  if (account && !sid) {
    if (!mayLack || !providerSid || own.account_sid)
      throw new UsageError(`There is no account "${account}"`)
    return { account: { name: account }, provider: await providerOf(api, providerSid) }
  }
  // a provider's key and a provider's name ask for all of it
  if (sid && !(provider && !account)) {
    const { name, service_provider_sid } = await api.accounts.view({ params: { account_sid: sid } })
    return { account: { sid, name }, provider: await providerOf(api, service_provider_sid) }
  }
  if (!providerSid) throw new UsageError('Say whose configuration it is: --account or --provider')
  return { provider: await providerOf(api, providerSid) }
}

async function providerOf(api: Switchroom, service_provider_sid: string) {
  const { name } = await api.serviceProviders.view({ params: { service_provider_sid } })
  return { sid: service_provider_sid, name }
}

async function accountCalled(api: Switchroom, text: string, provider: string | undefined) {
  if (isSid(text)) {
    const found = await api.accounts
      .view({ params: { account_sid: text } })
      .catch((error: unknown) => {
        if (error instanceof NotFound) throw new UsageError(`There is no account "${text}"`)
        throw error
      })
    return found.account_sid
  }
  const accounts = await Array.fromAsync(
    api.accounts.list.items({ query: { name: text, page_size: 500 } }),
  )
  const found = accounts.filter(
    ({ name, service_provider_sid }) =>
      name === text && (!provider || service_provider_sid === provider),
  )
  if (found.length > 1)
    throw new UsageError(`Several accounts are called "${text}". Name its --provider too`)
  return found[0]?.account_sid
}
