import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

export const median = (values: number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

/** With as many digits as tell something. */
export const figure = (n: number) =>
  n.toLocaleString('en-US', { maximumFractionDigits: n < 10 ? 2 : n < 100 ? 1 : 0 })

export type Row = Record<string, string>

const markdown = (rows: Row[]) => {
  const heads = Object.keys(rows[0]!)
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    line(heads),
    `|${heads.map((_, i) => (i ? '---:' : '---')).join('|')}|`,
    ...rows.map((row) => line(heads.map((head) => row[head] ?? ''))),
  ].join('\n')
}

export type Section = { title: string; rows: Row[] }

export function print(sections: Section[]) {
  for (const { title, rows } of sections) {
    console.log(`\n${title}`)
    console.table(rows)
  }
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->` in docs/performance.md. */
export function write(name: string, sections: Section[]) {
  const file = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', '-uno') ? ' with changes' : ''
  const where = `${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const run = `Commit ${git('rev-parse', '--short', 'HEAD')}${changed}, ${new Date().toISOString().slice(0, 10)}, ${where}.`
  const tables = sections.map(({ title, rows }) => `**${title}**\n\n${markdown(rows)}`)
  const [before, rest] = readFileSync(file, 'utf8').split(`<!-- ${name} -->`)
  const [, after] = rest?.split(`<!-- /${name} -->`) ?? []
  if (after === undefined) throw new Error(`docs/performance.md has no place named ${name}`)
  const text = [run, ...tables].join('\n\n')
  writeFileSync(file, `${before}<!-- ${name} -->\n${text}\n<!-- /${name} -->${after}`)
}
