import { appendFileSync } from 'node:fs'
import { sentencesIn } from './sentences.ts'

const file = process.env.TEST_SAID
const noted = new Set<string>()

/** Whether anybody wants to know what is said. */
export const isRecording = file !== undefined

/** Appends the sentences of the specification that a text is to the file that TEST_SAID names, once each. */
export function recordSaid(text: unknown) {
  if (file === undefined || typeof text !== 'string' || noted.has(text)) return
  noted.add(text)
  for (const sentence of sentencesIn(text)) appendFileSync(file, `${JSON.stringify(sentence)}\n`)
}

const STRING = /"(?:[^"\\]|\\.)*"/g

/** As `recordSaid`, for all texts of a refusal in JSON. */
export function recordRefusal(body: string) {
  if (!isRecording) return
  for (const text of body.match(STRING) ?? []) recordSaid(JSON.parse(text))
}
