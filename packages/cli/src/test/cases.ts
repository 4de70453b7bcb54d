import { lineAt, type Parsed, parse } from '@switchroom/config/files'
import { ConfigError } from '@switchroom/config/problem'
import { type Answer, type Expectation, isRecord, isSecretVariable } from '@switchroom/contract'
import { UsageError } from '../exit.ts'
import { readFile } from '../values.ts'

/** A case as a file has it, with one set of environment variables. */
export type Case = {
  /** Name of the case, unique within its file. */
  name: string
  file: string
  line: number
  application: string
  body: {
    start: { direction: 'inbound'; from: string; to: string; caller_name?: string }
    answers: Answer[]
    expectations: Expectation[]
    env_vars?: Record<string, string | number | boolean>
  }
  /** Path of each answer and each expectation in the file. */
  places: { answers: Place[]; expectations: Place[] }
}
export type Place = { path: (string | number)[]; line: number }

/** Result of a case. */
export type Result = Pick<Case, 'name' | 'file' | 'line'> & {
  passed: boolean
  seconds: number
  run_sid: string | null
  /** Why it did not pass, each with its line. */
  failures: { line: number; text: string; nearest: string | null }[]
}

export type CaseFile = { file: string; text: string; parsed: Parsed; cases: Case[] }

const MAX_MATRIX = 100
/** Expectations by the member that has their text, address or number. */
const MAIN: Record<Expectation['kind'], string | null> = {
  says: 'text',
  does_not_say: 'text',
  returns: 'text',
  plays: 'url',
  asks: 'input',
  dials: 'number',
  transfers: 'to',
  hangs_up: null,
}
const KINDS = Object.keys(MAIN) as Expectation['kind'][]
const STEPS = ['caller', ...KINDS].join(', ')

/** Reads files of cases. Throws what is wrong with them, with file and line. */
export const casesIn = (files: readonly string[]): CaseFile[] =>
  files.map((file) => {
    const text = readFile(file)
    try {
      const parsed = parse({ name: file, text })
      return { file, text, parsed, cases: new Reader(file, parsed).cases() }
    } catch (error) {
      throw error instanceof ConfigError ? new UsageError(error.message) : error
    }
  })

type Path = (string | number)[]
type Members = Record<string, unknown>

class Reader {
  #file: string
  #parsed: Parsed
  constructor(file: string, parsed: Parsed) {
    this.#file = file
    this.#parsed = parsed
  }

  #line = (path: Path) => lineAt(this.#parsed.document, path, this.#parsed.lineOf)
  #wrong = (path: Path, text: string) =>
    new UsageError(`${this.#file}:${this.#line(path)}: ${text}`)

  #members(value: unknown, path: Path, allowed: readonly string[]): Members {
    if (!isRecord(value)) throw this.#wrong(path, 'it must have members, such as name: …')
    const other = Object.keys(value).find((name) => !allowed.includes(name))
    if (other !== undefined)
      throw this.#wrong(
        [...path, other],
        `there is no member ${other}. There are ${allowed.join(', ')}`,
      )
    return value
  }

  /** A text as it is written, also where YAML reads a number: `digits: 007` is three keys. */
  #text(value: unknown, path: Path): string {
    if (typeof value === 'string') return value
    const node = this.#parsed.document.getIn(path, true)
    const source = isRecord(node) ? node.source : undefined
    if (typeof value === 'number' && typeof source === 'string') return source
    throw this.#wrong(path, `${path.at(-1)} must be a text. Write numbers in quotes`)
  }

  cases(): Case[] {
    const shared = ['application', 'from', 'to', 'caller_name', 'env']
    const all = this.#members(this.#parsed.value, [], [...shared, 'cases'])
    if (!Array.isArray(all.cases)) throw this.#wrong(['cases'], 'cases must be a list')
    const names = new Set<string>()
    return all.cases.flatMap((value: unknown, i) => {
      const path = ['cases', i]
      const one = this.#members(value, path, [...shared, 'name', 'script'])
      const name = this.#text(one.name, [...path, 'name'])
      if (names.has(name)) throw this.#wrong([...path, 'name'], `there are two cases “${name}”`)
      names.add(name)
      const given = (member: string) => {
        const own = one[member] !== undefined
        const value = own ? one[member] : all[member]
        return value === undefined
          ? undefined
          : this.#text(value, own ? [...path, member] : [member])
      }
      const needed = (member: string) => {
        const text = given(member)
        if (text === undefined) throw this.#wrong(path, `${member} is missing`)
        return text
      }
      const { answers, expectations, places } = this.#script(one.script, [...path, 'script'])
      const caller_name = given('caller_name')
      const env = { ...this.#env(all.env, ['env']), ...this.#env(one.env, [...path, 'env']) }
      return combinations(env).map((env_vars): Case => {
        const varied = Object.entries(env_vars).flatMap(([key, value]) =>
          env[key]!.length > 1 ? [`${key}=${valueName(key, value, env[key]!)}`] : [],
        )
        return {
          name: varied.length > 0 ? `${name} (${varied.join(', ')})` : name,
          ...{ file: this.#file, line: this.#line(path), application: needed('application') },
          body: {
            start: {
              ...{ direction: 'inbound', from: needed('from'), to: needed('to') },
              ...(caller_name !== undefined && { caller_name }),
            },
            ...{ answers, expectations },
            ...(Object.keys(env_vars).length > 0 && { env_vars }),
          },
          places,
        }
      })
    })
  }

  /** Each variable with its values. */
  #env(value: unknown, path: Path): Record<string, Scalar[]> {
    if (value === undefined) return {}
    if (!isRecord(value)) throw this.#wrong(path, 'env must be names with values')
    const env = Object.fromEntries(
      Object.entries(value).map(([name, of]) => {
        const values = [of].flat()
        if (values.length === 0 || !values.every(isScalar))
          throw this.#wrong(
            [...path, name],
            `${name} must be a text, a number, true or false, or a list of them`,
          )
        return [name, values]
      }),
    )
    if (Object.values(env).reduce((product, { length }) => product * length, 1) > MAX_MATRIX)
      throw this.#wrong(path, `env makes more than ${MAX_MATRIX} cases`)
    return env
  }

  #script(value: unknown, path: Path) {
    if (!Array.isArray(value) || value.length === 0)
      throw this.#wrong(path, 'script must be a list of what happens, in order')
    const answers: Answer[] = []
    const places: Case['places'] = { answers: [], expectations: [] }
    const expected: { after: number; expectation: Expectation }[] = []
    for (const [i, step] of value.entries()) {
      const at = [...path, i]
      const place = { path: at, line: this.#line(at) }
      if (isRecord(step) && 'caller' in step) {
        this.#members(step, at, ['caller'])
        answers.push(this.#answer(step.caller, [...at, 'caller']))
        places.answers.push(place)
      } else {
        expected.push({ after: answers.length, expectation: this.#expectation(step, at) })
        places.expectations.push(place)
      }
    }
    if (expected.length === 0) throw this.#wrong(path, 'the script expects nothing')
    const expectations = expected.map(({ after, expectation }) => ({
      ...expectation,
      // its place in the script
      ...(after > 0 && { after_answer: after }),
      ...(after < answers.length && { before_answer: after + 1 }),
    }))
    return { answers, expectations, places }
  }

  /**
   * Reads an answer: text that the caller says, `{ digits: "1#" }` for keys, or `{ kind: busy }` for anything else.
   */
  #answer(value: unknown, path: Path): Answer {
    if (typeof value === 'string') return { kind: 'speech', text: value }
    if (!isRecord(value))
      throw this.#wrong(path, 'it must be what the caller says, or { digits: "1" }, or { kind: … }')
    if ('kind' in value) return value as Answer
    const { digits, ...more } = value
    if (digits === undefined)
      throw this.#wrong(path, 'it must have digits, or a kind such as nothing, busy or hang_up')
    return { kind: 'digits', digits: this.#text(digits, [...path, 'digits']), ...more } as Answer
  }

  #expectation(step: unknown, path: Path): Expectation {
    const members: Members =
      typeof step === 'string' ? { [step]: true } : isRecord(step) ? step : {}
    const kind = KINDS.find((one) => one in members)
    if (!kind) throw this.#wrong(path, `it must be one of these: ${STEPS}`)
    const { [kind]: main, ...more } = this.#members(members, path, [kind, 'within_ms'])
    const name = MAIN[kind]
    if (name === null) return { kind, ...more } as Expectation
    if (kind === 'asks')
      return { kind, ...(main !== true && { input: main }), ...more } as Expectation
    const text = this.#text(main, [...path, kind])
    const pattern = name === 'text' ? /^\/(.+)\/$/s.exec(text)?.[1] : undefined
    return {
      ...{ kind, [name]: pattern ?? text },
      ...(pattern !== undefined && { is_pattern: true }),
      ...more,
    } as Expectation
  }
}

type Scalar = string | number | boolean
const isScalar = (value: unknown): value is Scalar =>
  ['string', 'number', 'boolean'].includes(typeof value)

/** Name of a value in a case's name, which build servers keep. Secrets are named by their position. */
const valueName = (name: string, value: Scalar, all: readonly Scalar[]) =>
  all.some((one) => isSecretVariable(name, one)) ? `#${all.indexOf(value) + 1}` : value

/** Every choice of one value for each name. */
const combinations = (env: Record<string, Scalar[]>) =>
  Object.entries(env).reduce<Record<string, Scalar>[]>(
    (all, [name, values]) =>
      all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )
