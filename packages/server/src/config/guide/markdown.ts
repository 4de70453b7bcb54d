import { z } from 'zod'
import { Env } from '../environment.ts'
import type { Entry, Section } from './section.ts'
import { SECTIONS } from './sections.ts'

/** docs/guides/environment.md, from the shapes that the server reads its environment with. */
export const environmentGuide = () => `${HEAD}\n${SECTIONS.map(sectionText).join('\n')}`

const HEAD = `# Environment variables

<!-- Written by "npm run docs" from packages/server/src/config. -->

Every variable that Switchroom reads. Those that the platform has too keep their names and meaning. An empty value counts as unset. All
wrong values are reported at start, before anything else happens.

The values of variables marked 🔒 are secret: keep them where only the user that runs Switchroom can read them.
`

function sectionText({ title, intro, variables }: Section) {
  const rows = Object.entries(variables).map(([name, entry]) =>
    row(name as keyof Env, typeof entry === 'string' ? { about: entry } : entry),
  )
  return [
    `## ${title}\n`,
    ...(intro ? [`${intro}\n`] : []),
    '| Variable | Values | If not set | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function row(name: keyof Env, { about, values, unset, isSecret }: Entry) {
  const cells = [
    `\`${name}\`${isSecret ? ' 🔒' : ''}`,
    values ?? valuesOf(name),
    unset ?? ifNotSet(name),
    about,
  ]
  return `| ${cells.join(' | ')} |`
}

function valuesOf(name: keyof Env) {
  const shape = Env.shape[name]
  if (shape.safeParse(undefined).data === false) return '`1` or `true`'
  const schema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' })
  const { enum: options, format, minimum, maximum, minLength = 0 } = schema
  if (options) return options.map((option) => `\`${option}\``).join(', ')
  if (minimum !== undefined) return `${minimum} to ${maximum}`
  if (format === 'uri') return 'URL'
  return minLength > 1 ? `at least ${minLength} characters` : 'text'
}

function ifNotSet(name: keyof Env) {
  const value = Env.shape[name].parse(undefined)
  if (value === false) return 'off'
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? `\`${value}\`` : 'none'
}
