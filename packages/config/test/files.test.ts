import { describe, expect, it } from 'vitest'
import { asOneFile } from '../src/export.ts'
import { parsedFiles, replaceVariables } from '../src/files.ts'
import { ConfigError } from '../src/problem.ts'
import { collectVariables } from '../src/values.ts'

/** Files by themselves. What is made of them is tested with the command line, on a real server. */

const valuesIn = (files: Record<string, string>, values = {}) => {
  const given = Object.entries(files).map(([name, text]) => ({ name, text }))
  const replaced = replaceVariables(parsedFiles(given), values)
  return Object.fromEntries(
    [...replaced].map(([kind, all]) => [kind, all.map(({ value }) => value)]),
  )
}
const problemsIn = (files: Record<string, string>, values = {}) => {
  try {
    valuesIn(files, values)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

const TEXTS = {
  'applications.yaml': `# yaml-language-server: $schema=.schema/applications.json

- name: Front desk
  app_json: |
    [
      {"verb": "hangup"}

    ]
- name: "two: words"
`,
  'clients.yaml': `# yaml-language-server: $schema=.schema/clients.json

- username: jane
  password: env:CLIENTS_JANE_PASSWORD?
`,
}

describe('one file of all kinds', () => {
  const text = asOneFile(new Map(Object.entries(TEXTS)))

  it('says what the others say', () => {
    expect(valuesIn({ 'configuration.yaml': text })).toEqual(valuesIn(TEXTS))
    expect(text).not.toContain('#')
  })

  it('tells the lines of its things', () => {
    const files = [{ name: 'configuration.yaml', text }]
    const [jane] = parsedFiles(files).items.get('clients')!
    const line = text.split('\n').findIndex((one) => one.includes('username')) + 1
    expect(jane!.at(['username'])).toEqual({ file: 'configuration.yaml', line })
    expect(jane!.at(['password']).line).toBe(line + 1)
  })

  it.each([
    ['- a\n', 1, 'Expected kinds, each with a list'],
    ['clients:\nlcrs: []\n', 1, 'Empty. Write [] if there are none'],
    ['lcrs: []\nclients: 1\n', 2, 'Expected a list'],
    ['lcrs: []\nclients:\n  - 1\n', 3, 'Expected an object with members such as name'],
    ['lcrs: []\nlcrs: []\n', 2, 'Duplicate key'],
  ])('is refused with its line: %j', (wrong, line, said) => {
    expect(problemsIn({ 'configuration.yaml': wrong })).toEqual([
      { file: 'configuration.yaml', line, text: said },
    ])
  })

  it('may not have kinds that are unknown', () => {
    const [problem] = problemsIn({ 'configuration.yaml': 'clinets: []\n' })
    expect(problem!.text).toContain('Unknown kind.')
  })
})

it.each([
  ['clients.yaml', 'clients.yml'],
  ['clients.yaml', 'configuration.yaml'],
])('a kind is in one file: %s and %s', (first, second) => {
  const text = second === 'configuration.yaml' ? 'clients: []\n' : '[]\n'
  expect(problemsIn({ [first]: '[]\n', [second]: text })).toEqual([
    { file: second, text: `clients is already defined in ${first}` },
  ])
})

it('tells all that is wrong at once, and which variable is missing', () => {
  const problems = problemsIn({
    'clients.yaml': `- username: \${who}\n`,
    'lcrs.yaml': 'name: x\n',
    'phone-numbers.yaml': '- number: "1"\n  number: "2"\n',
  })
  expect(problems.map(({ file, line, variable }) => [file, line, variable])).toEqual([
    ['lcrs.yaml', 1, undefined],
    ['phone-numbers.yaml', 2, undefined],
    ['clients.yaml', 1, 'who'],
  ])
})

it('finds the variables that files name', () => {
  const { variables, environment } = collectVariables([
    { a: `https://\${domain}/$\${x}`, b: 'env:ONE', c: ['env:TWO?', 'text:env:NONE'] },
    { a: 'env:TWO?', b: 'env:ONE?' },
  ])
  expect([...variables]).toEqual(['domain'])
  expect([...environment]).toEqual([
    ['ONE', false],
    ['TWO', true],
  ])
})
