import type { Result } from './cases.ts'

const ESCAPES: Record<string, string> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' },
}
/** Without what XML cannot have. */
const text = (of: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
  of.replace(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, '').replace(/[&<>"]/g, (c) => ESCAPES[c]!)

/** Results as JUnit XML, which build servers read: a suite for each file. */
export function junit(results: readonly Result[]): string {
  const files = [...new Set(results.map(({ file }) => file))]
  const suites = files.map((file) =>
    suite(
      file,
      results.filter((one) => one.file === file),
    ),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`
}

function suite(file: string, results: readonly Result[]) {
  const failed = results.filter(({ passed }) => !passed).length
  const cases = results.map(
    ({ name, seconds, failures, passed }) =>
      `    <testcase classname="${text(file)}" name="${text(name)}" time="${seconds}">${
        passed ? '' : `\n${failures.map((one) => failure(file, one)).join('')}    `
      }</testcase>\n`,
  )
  return `  <testsuite name="${text(file)}" tests="${results.length}" failures="${failed}">\n${cases.join('')}  </testsuite>\n`
}

const failure = (file: string, { line, text: why, nearest }: Result['failures'][number]) =>
  `      <failure message="${text(why)}">${text(`${file}:${line}${nearest === null ? '' : `\nnearest: “${nearest}”`}`)}</failure>\n`
