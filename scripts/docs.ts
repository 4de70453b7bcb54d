import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { environmentGuide } from '../packages/server/src/config/guide/markdown.ts'

/** Writes the guides that are made from the code. papers.test.ts fails if they are out of date. */
const file = fileURLToPath(new URL('../docs/guides/environment.md', import.meta.url))
writeFileSync(file, environmentGuide())
