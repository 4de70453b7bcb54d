import { type Config, readConfig } from '../packages/server/src/config/config.ts'
import { exitBecause } from '../packages/server/src/start/errors.ts'
import { recover } from '../packages/server/src/stores/recover/recover.ts'
import { voiceFolder } from '../packages/server/src/stores/traces/files/store.ts'

/** Saves what can be read of record files that were set aside as damaged. The server may be running. */
process.umask(0o077)
let config: Config | undefined
try {
  config = readConfig(process.env)
  const { telemetry, traces, captures } = config
  const results = [
    ...(telemetry.kind === 'embedded' ? recover('calls', telemetry.folder) : []),
    ...(traces.kind === 'embedded' ? recover('traces', traces.folder) : []),
    ...(traces.kind === 'embedded' ? recover('voice', voiceFolder(traces.folder)) : []),
    ...(captures.kind === 'embedded' ? recover('captures', captures.folder) : []),
  ]
  if (results.length === 0) console.log('There are no damaged files.')
  for (const { file, saved, lost } of results)
    console.log(
      `${file}: ${saved} records saved, ${lost === undefined ? 'it is not known how many are lost' : `at most ${lost} lost`}`,
    )
} catch (e) {
  exitBecause(e, config, 'The records cannot be recovered')
}
