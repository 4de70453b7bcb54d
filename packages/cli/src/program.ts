import { kebab } from '@switchroom/contract'
import { Command, CommanderError, Option } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { addBackup } from './backup.ts'
import { addCalls } from './calls.ts'
import { addCompletion, completions } from './completion.ts'
import type { Given } from './configuration.ts'
import { endpointCommand } from './endpoint-command.ts'
import { addEventTail } from './events.ts'
import { EXIT, exitCodeOf, textOf } from './exit.ts'
import { addServerCommands } from './login.ts'
import { addMcp } from './mcp.ts'
import { addRoute } from './route.ts'
import { type Globals, Session } from './session.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'
import type { Given as Testing } from './test/run.ts'
import { addDoctor, addOpen, addSearch } from './things.ts'

/** Shorter names of groups. */
const ALIASES: Record<string, string> = { numbers: 'phone-numbers', carriers: 'voip-carriers' }

/** Runs a command line, without the name of the program. Resolves to its exit code. */
export async function run(words: string[], terminal: Terminal): Promise<number> {
  let code: number = EXIT.ok
  const { program, session } = build(words, terminal, (given) => {
    code = given
  })
  try {
    if (words[0] === '__complete')
      terminal.out(
        completions(program, words.slice(1))
          .map((word) => `${word}\n`)
          .join(''),
      )
    else await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    const exit = exitCodeOf(error)
    // commander has said what was wrong
    if (!(error instanceof CommanderError))
      terminal.err(`${session(program).style('red', 'error:')} ${textOf(error)}\n`)
    return exit
  }
}

function build(words: string[], terminal: Terminal, exit: (code: number) => void) {
  const program = new Command('switchroom')
    .description('Switchroom from a terminal. Every endpoint of the API is a command.')
    .version(VERSION)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help for what there is)')
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
    })
  for (const option of GLOBALS()) program.addOption(option)
  const session = (command: Command) => new Session(terminal, command.optsWithGlobals<Globals>())

  addServerCommands(program, terminal)
  addCalls(program, session)
  addRoute(program, session, exit)
  addOpen(program, session)
  addMcp(program, session)
  addBackup(program, session)
  addConfiguration(program, session, exit)
  addTest(program, session, exit)
  addCompletion(program, terminal.out)
  for (const name of Object.keys(table)) {
    const group = program.command(kebab(name)).description(summaryOf(name))
    for (const [alias, of] of Object.entries(ALIASES)) if (of === kebab(name)) group.alias(alias)
    if (name === 'search') addSearch(group, session)
    if (name === 'events') addEventTail(group, session)
    if (name === 'doctor') addDoctor(group, session, exit)
    // of the others nobody asks for the commands
    const isNamed = words.some((word) => word === group.name() || group.aliases().includes(word))
    if (isNamed) addEndpoints(group, name, session)
  }
  inherit(program)
  return { program, session }
}

const ALL = (value: string, before: string[] = []) => [...before, value]

/** Configuration as files. What it needs is loaded by these commands only. */
function addConfiguration(
  program: Command,
  session: (command: Command) => Session,
  exit: (code: number) => void,
) {
  const command = (name: string, description: string) =>
    program
      .command(name)
      .argument('[folder]', 'where the files are', '.')
      .description(description)
      .option('--account <text>', 'of one account, by name or sid')
      .option('--provider <text>', 'of a service provider with its accounts')
  const planning = (name: string, description: string) =>
    command(name, description)
      .option('--vars <file>', 'a file with values for variables; several add up', ALL)
      .option('--var <name=value>', 'the value of a variable', ALL)
  const write = command('export', 'write what an account or provider has as files').action(
    async (folder: string, given: Given) => {
      const { exportTo } = await import('./configuration.ts')
      await exportTo(session(write), folder, given)
    },
  )
  const show = planning('plan', 'show what applying files would change')
    .option('--check', 'exit with 9 if anything would change')
    .option('--no-meaning', 'do not compare where the calls of a day would go')
    .action(async (folder: string, given: Given) => {
      const { showPlan } = await import('./configuration.ts')
      await showPlan(session(show), folder, given, exit)
    })
  const make = planning('apply', 'make what an account or provider has what files say')
    .option('--delete', 'delete what is not in the files, of the kinds that they hold')
    .option('--yes', 'do not ask before that')
    .action(async (folder: string, given: Given) => {
      const { applyFrom } = await import('./configuration.ts')
      await applyFrom(session(make), folder, given)
    })
}

/** Tests of applications. What it needs is loaded by this command only. */
function addTest(
  program: Command,
  session: (command: Command) => Session,
  exit: (code: number) => void,
) {
  const test = program
    .command('test')
    .argument('<files...>', 'YAML files with cases')
    .description('play cases against applications, and say whether they pass')
    .option('--name <text>', 'only cases with this in their name')
    .option('--failed', 'only those that failed here the last time')
    .option('--junit <file>', 'write the results for a build server')
    .option('--update', 'take what the application says now in place of what was expected')
    .action(async (files: string[], given: Testing) => {
      const { testFiles } = await import('./test/run.ts')
      await testFiles(session(test), files, given, exit)
    })
}

function addEndpoints(group: Command, name: string, session: (command: Command) => Session) {
  for (const [endpoint, row] of Object.entries(table[name]!))
    group.addCommand(endpointCommand(name, endpoint, row, session))
}

/** Commands that are added have no settings of their parents yet. */
function inherit(command: Command) {
  for (const child of command.commands) {
    child.copyInheritedSettings(command)
    inherit(child)
  }
}

const summaryOf = (group: string) => `commands: ${Object.keys(table[group]!).map(kebab).join(', ')}`

const GLOBALS = () => [
  new Option('--server <name>', 'the server to use, of those you logged in to'),
  new Option('--json', 'print the answer as JSON'),
  new Option('--jsonl', 'print a line of JSON for each row'),
  new Option('--query <fields>', 'only these fields, separated by commas: number,account_name'),
  new Option('--wide', 'all columns, with sids in place of names'),
  new Option('--watch [seconds]', 'show it again every 2 seconds, or as many'),
  new Option('--no-color', 'no colours'),
]

/** Flags that no endpoint may have. */
export const RESERVED = [
  'server',
  'json',
  'jsonl',
  'query',
  'wide',
  'watch',
  'no-color',
  'data',
  'all-pages',
  'output',
  'if-match',
  'idempotency-key',
  'help',
  'version',
]

const VERSION = manifest.version
