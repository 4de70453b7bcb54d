#!/usr/bin/env node
import { processTerminal } from './process-terminal.ts'
import { run } from './program.ts'

// a reader that has seen enough, as head, ends it
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})
// without waiting here, the build keeps what starts in one file
void run(process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code
})
