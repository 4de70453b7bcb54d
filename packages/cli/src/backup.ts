import type { Command } from 'commander'
import { EXIT, Stopped } from './exit.ts'
import type { Session } from './session.ts'

const POLL_MS = 1_000
const MEGABYTE = 1_000_000

/** `backup`: has the server make one and waits for it; `backup list`: lists them. */
export function addBackup(program: Command, session: (command: Command) => Session) {
  const backup = program
    .command('backup')
    .description('make a backup of the server, for administrators')
    .action(() => makeBackup(session(backup)))
  const list = backup
    .command('list')
    .description('list the verified backups, newest first')
    .action(async () => {
      const to = session(list)
      await to.show((await to.api.backups.view()).files)
    })
}

async function makeBackup(to: Session) {
  const { api, terminal } = to
  const [before] = (await api.backups.view()).runs
  await api.backups.make()
  do {
    const { runs, files, folder } = await api.backups.view()
    const [run] = runs
    if (!run || run.began_at === before?.began_at || run.state === 'running') {
      to.progress(Math.round((run?.bytes ?? 0) / MEGABYTE), undefined, 'MB')
      continue
    }
    if (terminal.isTerminal) terminal.err('\r\x1b[K')
    if (run.state === 'failed') throw new Stopped(run.sentence ?? 'The backup failed', EXIT.failed)
    const { json, jsonl, query } = to.globals
    if (json || jsonl || query) return to.show(files[0])
    terminal.out(`${folder}/${files[0]?.name} on the server, verified\n`)
    return
  } while (await terminal.pause(POLL_MS))
  throw new Stopped('The server goes on with the backup: switchroom backup list', EXIT.unavailable)
}
