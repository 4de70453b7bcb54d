import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type Answer, InvalidRequest, NotSupported } from '@switchroom/client'
import { type api, expectationText, type RunStep } from '@switchroom/contract'
import { EXIT, textOf, UsageError } from '../exit.ts'
import { sidOf } from '../names.ts'
import type { Session } from '../session.ts'
import { type Case, type CaseFile, casesIn, type Result } from './cases.ts'
import { junit } from './junit.ts'
import { changesFor, update } from './update.ts'

type Run = Answer<typeof api.runs.view>

export type Given = { junit?: string; failed?: boolean; update?: boolean; name?: string }

const POLL_MS = 300
/** Names the cases that did not pass, in the folder where the command is run. */
const MARKER = '.switchroom-test'

/** `test`: plays cases against an application, and says whether each passes. */
export async function testFiles(
  session: Session,
  names: readonly string[],
  given: Given,
  exit: (code: number) => void,
) {
  const { terminal, globals, style } = session
  const isForPeople = !globals.json && !globals.jsonl
  const files = casesIn(names)
  const chosen = files.flatMap(({ cases }) => cases).filter(wanted(given))
  if (chosen.length === 0) throw new UsageError('No case is chosen')
  const results: Result[] = []
  const changes = new Map(files.map((file) => [file, [] as ReturnType<typeof changesFor>]))
  const refused: Refused[] = []
  /** Error that would also stop all later cases. */
  let stopped: { error: unknown } | undefined
  async function resultOfCase(one: Case): Promise<Result> {
    if (stopped) return notPlayed(one, [{ line: one.line, text: NOT_PLAYED, nearest: null }])
    try {
      const { run, result } = await played(session, one, isForPeople)
      const file = fileOf(files, one)
      changes.get(file)!.push(...changesFor(file, one, run))
      return result
    } catch (error) {
      if (error instanceof Refused) {
        refused.push(error)
        return notPlayed(one, error.failures)
      }
      stopped = { error }
      return notPlayed(one, [{ line: one.line, text: textOf(error), nearest: null }])
    }
  }
  for (const one of chosen) {
    if (isForPeople) terminal.out(`${style('bold', one.name)}\n`)
    const result = await resultOfCase(one)
    if (isForPeople) terminal.out(resultText(session, result))
    if (globals.jsonl) terminal.out(`${JSON.stringify(result)}\n`)
    results.push(result)
  }
  if (given.update) for (const [file, of] of changes) update(file, of)
  const failed = results.filter(({ passed }) => !passed)
  if (globals.json) terminal.out(`${JSON.stringify(results, null, 2)}\n`)
  if (isForPeople)
    terminal.out(`${results.length - failed.length} passed, ${failed.length} failed\n`)
  if (given.junit) writeFileSync(given.junit, junit(results))
  remember(failed)
  if (stopped) throw stopped.error
  if (refused.length > 0) throw new UsageError(refused.map(({ message }) => message).join('\n'))
  if (failed.length > 0) exit(EXIT.problems)
}

const fileOf = (files: readonly CaseFile[], { file }: Case) =>
  files.find((one) => one.file === file)!

function wanted({ failed, name }: Given) {
  const again = failed ? new Set(remembered()) : undefined
  return (one: Case) =>
    (!again || again.has(idOf(one))) && (name === undefined || one.name.includes(name))
}

const idOf = ({ file, name }: Pick<Case, 'file' | 'name'>) => `${file} ${name}`

function remembered(): string[] {
  if (!existsSync(MARKER)) throw new UsageError('No case has failed here before')
  return readFileSync(MARKER, 'utf8').split('\n')
}

function remember(failed: readonly Result[]) {
  if (failed.length > 0) writeFileSync(MARKER, failed.map(idOf).join('\n'))
  else rmSync(MARKER, { force: true })
}

async function played(session: Session, one: Case, shows: boolean) {
  const { api, terminal, style } = session
  const application_sid = await sidOf(api, 'application_sid', one.application)
  let run: Run
  try {
    run = await api.runs.begin({ params: { application_sid }, body: one.body })
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error
    throw new Refused(one, refusals(one, error))
  }
  const { run_sid } = run
  // an older server takes it for a run with a tester, and would wait for one
  if (!run.expectations) {
    await api.runs.stop({ params: { application_sid, run_sid } })
    throw new NotSupported('runs.begin with expectations')
  }
  const show = (steps: readonly RunStep[]) => {
    for (const step of shows ? steps : []) terminal.out(`  ${style('dim', stepText(step))}\n`)
  }
  let seen = run.steps.length
  show(run.steps)
  while (run.state === 'running') {
    await new Promise((done) => setTimeout(done, POLL_MS))
    const next = await api.runs.view({
      params: { application_sid, run_sid },
      query: { skip: seen },
    })
    show(next.steps)
    seen += next.steps.length
    run = { ...next, steps: [...run.steps, ...next.steps] }
  }
  return { run, result: resultOf(one, run) }
}

/** Issues that the server reported, with the line of each. */
const refusals = ({ line, places }: Case, { issues }: InvalidRequest): Result['failures'] =>
  issues.map(({ path: [list, index], message }) => {
    const of = list === 'answers' || list === 'expectations' ? places[list] : []
    return { line: of[Number(index)]?.line ?? line, text: message, nearest: null }
  })

/** Thrown for a case that the server refuses. Other cases may be valid. */
class Refused extends Error {
  override name = 'Refused'
  failures: Result['failures']
  constructor({ file }: Case, failures: Result['failures']) {
    super(failures.map(({ line, text }) => `${file}:${line}: ${text}`).join('\n'))
    this.failures = failures
  }
}

const NOT_PLAYED = 'Not played, since a case before it could not be'

const notPlayed = ({ name, file, line }: Case, failures: Result['failures']): Result => ({
  ...{ name, file, line, failures },
  ...{ passed: false, seconds: 0, run_sid: null },
})

function resultOf(one: Case, run: Run): Result {
  const { name, file, line, body, places } = one
  const failures = (run.outcomes ?? []).flatMap(({ is_met, text, nearest = null }, i) =>
    is_met
      ? []
      : [
          {
            line: places.expectations[i]!.line,
            text: `${expectationText(body.expectations[i]!)}: ${text}`,
            nearest,
          },
        ],
  )
  const isChecked = run.outcomes !== null
  return {
    ...{ name, file, line, run_sid: run.run_sid },
    passed: run.is_passed === true,
    seconds: (run.steps.at(-1)?.at ?? 0) / 1_000,
    failures: isChecked
      ? failures
      : [{ line, text: 'Not checked: the run was interrupted', nearest: null }],
  }
}

function resultText({ style }: Session, { passed, file, failures }: Result) {
  if (passed) return `  ${style('green', '✓ passed')}\n`
  const lines = failures.map(({ line, text, nearest }) => {
    const like = nearest === null ? '' : `\n    nearest: “${nearest}”`
    return `  ${style('red', '✗')} ${file}:${line}: ${text}${like}\n`
  })
  return lines.join('')
}

const secondsText = (ms: number) => `${(ms / 1_000).toFixed(1)} s`.padStart(8)

/** A step of a run on one line. */
function stepText(step: RunStep): string {
  return `${secondsText(step.at)}  ${whatOf(step)}`.replace(/\s*\n\s*/g, ' ')
}

function whatOf(step: RunStep): string {
  switch (step.kind) {
    case 'request':
      return `→ ${step.name}${step.verb ? ` of ${step.verb}` : ''} ${step.answer?.status ?? ''} ${step.ms} ms`
    case 'said':
      return `says “${step.text ?? ''}”`
    case 'played':
      return `plays ${step.url}`
    case 'paused':
      return `pauses ${secondsText(step.ms).trim()}`
    case 'asked':
      return `waits: ${step.question.verb} ${step.question.targets.map(({ to }) => to).join(', ')}`
    case 'answered':
      return `caller: ${answerText(step.answer)}`
    case 'event':
      return step.text
    case 'command':
      return `command ${step.command}`
    case 'ended':
      return step.text
  }
}

function answerText(answer: Extract<RunStep, { kind: 'answered' }>['answer']) {
  if ('text' in answer) return `“${answer.text}”`
  if (answer.kind === 'digits') return `presses ${answer.digits}`
  return answer.kind.replaceAll('_', ' ')
}
