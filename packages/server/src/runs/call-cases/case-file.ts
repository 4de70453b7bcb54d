import {
  type Answer,
  type Application,
  type CallCase,
  type CallCaseStep,
  type Expectation,
  isSecretVariable,
} from '@switchroom/contract'

type Of = Pick<CallCase, 'name' | 'start' | 'steps' | 'notes'>

/** JSON is YAML, and leaves no word to be read as something else. */
const yaml = (value: unknown) => JSON.stringify(value)
const flow = (members: object) =>
  `{ ${Object.entries(members)
    .map(([name, value]) => `${name}: ${yaml(value)}`)
    .join(', ')} }`

/** A call as a file for `switchroom test`. */
export function caseFile(
  { name, start, steps, notes }: Of,
  {
    application = '',
    env_vars,
  }: { application?: string | undefined; env_vars?: Application['env_vars'] | undefined },
) {
  const env = Object.entries(env_vars ?? {}).filter(
    ([variable, value]) => !isSecretVariable(variable, value),
  )
  return [
    ...notes.map((note) => `# ${note}`),
    `application: ${yaml(application)}`,
    `from: ${yaml(start.from)}`,
    `to: ${yaml(start.to)}`,
    ...(env.length > 0
      ? ['env:', ...env.map(([variable, value]) => `  ${yaml(variable)}: ${yaml(value)}`)]
      : []),
    'cases:',
    `  - name: ${yaml(name)}`,
    '    script:',
    ...steps.flatMap(stepLines).map((line) => `      ${line}`),
    '',
  ].join('\n')
}

function stepLines(step: CallCaseStep): string[] {
  if (step.kind === 'caller') return [`- caller:${answerText(step.answer)}`]
  const { expected, looser } = step
  return [
    `- ${expectedText(expected)}`,
    ...(looser ? [`  # or, where this varies: ${expectedText(looser)}`] : []),
  ]
}

function answerText(answer: Answer | null) {
  // which is refused until somebody fills it in
  if (answer === null) return ' # enter what the caller says, or { digits: "…" }'
  if (answer.kind === 'speech' && answer.confidence === undefined) return ` ${yaml(answer.text)}`
  return ` ${flow(answer.kind === 'digits' ? { digits: answer.digits } : answer)}`
}

function expectedText(expected: Expectation): string {
  switch (expected.kind) {
    case 'says':
    case 'does_not_say':
    case 'returns':
      return `${expected.kind}: ${yaml(expected.is_pattern ? `/${expected.text}/` : expected.text)}`
    case 'plays':
      return `plays: ${yaml(expected.url)}`
    case 'asks':
      return expected.input ? `asks: ${expected.input}` : 'asks'
    case 'dials':
      return `dials: ${yaml(expected.number)}`
    case 'transfers':
      return `transfers: ${yaml(expected.to)}`
    case 'hangs_up':
      return 'hangs_up'
  }
}
