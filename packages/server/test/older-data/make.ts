import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** The sources of a commit, with the packages that are installed now. */
function checkOut(commit: string, folder: string) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', commit, 'package.json', 'packages'], {
    cwd: root,
    maxBuffer: 1e9,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const [installed, linked] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(linked, '@switchroom'), { recursive: true })
  for (const name of readdirSync(installed))
    if (name !== '@switchroom') symlinkSync(join(installed, name), join(linked, name))
  for (const name of readdirSync(join(folder, 'packages')))
    symlinkSync(join(folder, 'packages', name), join(linked, '@switchroom', name))
}

function write(sources: string, data: string) {
  const script = fileURLToPath(new URL('write.ts', import.meta.url))
  execFileSync(process.execPath, [script, sources, data], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Fills a data folder as the version of a commit does. */
export function writeOlderData(commit: string, data: string) {
  const sources = join(tmpdir(), `switchroom-${commit}-${process.pid}`)
  try {
    checkOut(commit, sources)
    write(sources, data)
  } finally {
    rmSync(sources, { recursive: true, force: true })
  }
}

/** Fills a data folder as this version does. */
export const writeNewData = (data: string) => write(root, data)
