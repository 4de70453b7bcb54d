import type { File as ConfigFile, ParsedFiles } from '@switchroom/config/files'
import type { Plan } from '@switchroom/config/plan'
import type { Problem } from '@switchroom/config/problem'
import type { Owner } from '@switchroom/config/read'
import type { Values } from '@switchroom/config/values'
import { t } from '@switchroom/contract'

/** Chosen files as they were read, and what else they need. */
export type Chosen = {
  files: ConfigFile[]
  parsed: ParsedFiles
  problems: readonly Problem[]
  /** Values of variables, from files such as live.vars.yaml. */
  values: Values
  variables: string[]
  /** Secrets that files name, and whether what is stored may stay. */
  secrets: { name: string; isOptional: boolean }[]
}

export async function read(files: ConfigFile[]): Promise<Chosen> {
  const { collectVariables, ConfigError, isConfig, parsedFiles, readVariables } = await import(
    './engine'
  )
  const parsed = parsedFiles(files.filter(({ name }) => isConfig(name)))
  const problems = [...parsed.problems]
  const values: Values = {}
  for (const file of files.filter(({ name }) => !isConfig(name)))
    try {
      Object.assign(values, readVariables(file))
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(...error.problems)
    }
  const found = collectVariables([...parsed.items.values()].flat().map(({ value }) => value))
  return {
    files,
    parsed,
    problems,
    values,
    variables: [...found.variables].sort(),
    secrets: [...found.environment].map(([name, isOptional]) => ({ name, isOptional })),
  }
}

/** A plan, or what is wrong with the files. */
export type Compared = { plan?: Plan; problems?: readonly Problem[] }

export type Typed = Record<string, string>

/** Values that people entered, and the secrets among them that are stored by now. */
export type Entered = { values: Typed; secrets: Typed; sent: ReadonlySet<string> }

const filledIn = (typed: Typed) =>
  Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''))

/** The plan to make an owner's resources match the files. */
export async function compare(
  { parsed, values, problems }: Chosen,
  owner: Owner,
  isNew: boolean,
  entered: Entered,
): Promise<Compared> {
  const engine = await import('./engine')
  if (problems.length > 0) return { problems }
  try {
    const files = engine.replaceVariables(parsed, { ...values, ...filledIn(entered.values) })
    const target = isNew ? await newOwner(owner, files) : owner
    return {
      plan: await engine.planned(engine.client, target, files, entered.secrets, {
        yieldIfDue: engine.yieldIfDue,
        sent: entered.sent,
      }),
    }
  } catch (error) {
    if (error instanceof engine.ConfigError) return { problems: error.problems }
    throw error
  }
}

/** The account that files name, which may be there already. */
async function newOwner({ provider }: Owner, files: ParsedFiles['items']): Promise<Owner> {
  const { accountCalled, ConfigError } = await import('./engine')
  const name = files.get('accounts')?.[0]?.value.name
  if (typeof name !== 'string')
    throw new ConfigError([{ text: t('There is no accounts.yaml that names the new account.') }])
  const sid = await accountCalled(name, provider.sid)
  return { account: { name, ...(sid && { sid }) }, provider }
}

/** Text of a problem with what to do in the console, which has no environment variables. */
export const problemText = ({ text, variable }: Problem) =>
  variable === undefined ? text : t('Enter a value for {name}.', { name: variable })
