import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

/** Reads the files that run Switchroom elsewhere, for their tests. */

const root = fileURLToPath(new URL('..', import.meta.url))
export const read = (file: string) => readFileSync(root + file, 'utf8')

/** `NAME=value` lines, as systemd and sh read them. */
export const readEnvironment = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([line, name, value]) => [
      name!,
      { value: value!.replace(/^'(.*)'$/, '$1'), isSet: !line.startsWith('#') },
    ]),
  )

/** The settings of a systemd unit. One that occurs twice has both values. */
export function readUnit(file: string) {
  const settings: Record<string, string[]> = {}
  for (const [, name, value] of read(file).matchAll(/^([A-Z]\w+)=(.*)$/gm)) {
    settings[name!] ??= []
    settings[name!]!.push(value!)
  }
  return settings
}

/** The instructions of a Containerfile: `['ENV', 'A=b']`, lines joined, each of the stage that it belongs to. */
export function readContainerfile(file: string) {
  const lines = read(file)
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim())
  let stage = 0
  return lines.map((line) => {
    const [, instruction, rest] = /^([A-Z]+) (.*)$/.exec(line)!
    if (instruction === 'FROM') stage++
    return { stage, instruction: instruction!, rest: rest! }
  })
}

export type Manifest = {
  file: string
  apiVersion: string
  kind: string
  // biome-ignore lint/suspicious/noExplicitAny: kubernetes-types checks them, in deploy.test.ts
  [field: string]: any
}

export const readManifests = (): Manifest[] =>
  globSync('deploy/kubernetes/*.yaml', { cwd: root })
    .sort()
    .flatMap((file) =>
      parseAllDocuments(read(file)).map((document) => {
        if (document.errors[0]) throw new Error(`${file}: ${document.errors[0].message}`)
        return { file, ...document.toJS() }
      }),
    )
