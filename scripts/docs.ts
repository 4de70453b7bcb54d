import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { environmentGuide } from '../packages/server/src/config/guide/markdown.ts'
import { withScaleTable } from './scale/table.ts'

/** Writes what is made from the code in the guides. Tests of the house fail if it is out of date. */
const fileOf = (name: string) => fileURLToPath(new URL(`../docs/${name}`, import.meta.url))
writeFileSync(fileOf('guides/environment.md'), environmentGuide())
writeFileSync(fileOf('scale.md'), withScaleTable(readFileSync(fileOf('scale.md'), 'utf8')))
