import { appendFileSync } from 'node:fs'
import { sentencesIn } from './sentences.ts'

const file = process.env.TEST_SAID
const noted = new Set<string>()

/** True if a run records which sentences are said. */
export const isRecording = file !== undefined

/** Appends the sentences of the specification that a text is to the file that TEST_SAID names, once each. */
export function recordSaid(text: unknown) {
  if (file === undefined || typeof text !== 'string' || noted.has(text)) return
  noted.add(text)
  for (const sentence of sentencesIn(text)) appendFileSync(file, `${JSON.stringify(sentence)}\n`)
}

const STRING = /"(?:[^"\\]|\\.)*"/g

/** Calls `recordSaid` for all texts of a refusal in JSON. */
export function recordRefusal(body: string) {
  if (!isRecording) return
  for (const text of body.match(STRING) ?? []) recordSaid(JSON.parse(text))
}
