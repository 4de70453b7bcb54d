import { rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { TestProject } from 'vitest/node'
import { bundleThreads, THREAD } from '../packages/server/bundle.ts'

// Threads of the server are started from a bundle, as in a server that runs. From sources, of which each is stripped of its
// types, a thread costs a processor three quarters of a second.

const SRC = fileURLToPath(new URL('../packages/server/src', import.meta.url))
/** Beside the sources, because a bundle finds packages from where it is. */
const OUT = join(SRC, '../test/dist', String(process.pid))

/** Has the tested code start threads from the bundle. What is transformed may be kept, so it does not name its folder. */
export const bundledThreads = (): Plugin => ({
  name: 'bundled-threads',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(SRC) || id.endsWith('.test.ts')) return null
    const placed = code.replace(THREAD, (_, file: string) => {
      const thread = relative(SRC, join(dirname(id), file)).replace(/\.ts$/, '.js')
      return `new URL('${thread}', process.env.TEST_THREADS)`
    })
    // no line moved
    return placed === code ? null : { code: placed, map: null }
  },
})

let building: Promise<void> | undefined

export default async function buildThreads(project: TestProject) {
  building ??= bundleThreads(OUT)
  await building
  process.env.TEST_THREADS = `${pathToFileURL(OUT)}/`
  project.onTestsRerun(() => bundleThreads(OUT))
  return () => rmSync(OUT, { recursive: true, force: true })
}
