import specs from '@jambonz/verb-specifications/specs.json' with { type: 'json' }
import {
  isRecord,
  listProblem,
  membersOf,
  newerSentence,
  type RunProblem,
  readVerb,
  t,
} from '@switchroom/contract'
import type { Call } from './call.ts'
import { clip } from './recorder.ts'
import type { Verb } from './run-application.ts'
import { isWalked } from './walkable.ts'

/** The verbs of a list, or the first reason why the platform refuses the whole of it. */
export function readVerbs(
  { version }: Pick<Call, 'version'>,
  list: unknown,
): { verbs?: Verb[]; problem?: RunProblem; reason?: string } {
  const wrong = listProblem(list, specs, version)
  if (wrong) {
    const path = wrong.path.map((key) => (typeof key === 'string' ? clip(key) : key))
    const newer = newerSentence(nameAt(list, wrong.path), version)
    const text = clip(wrong.message, 1_000)
    return { problem: { path, text: newer ?? text }, reason: text }
  }
  const verbs: Verb[] = []
  for (const [i, one] of (Array.isArray(list) ? list.filter(isRecord) : []).entries()) {
    const { name, members } = readVerb(one)
    // what passes the check of the platform, and has nothing to run it
    if (!isWalked(name))
      return { problem: { path: [i], text: t("invalid jambonz verb '{name}'", { name }) } }
    verbs.push({ name, data: members })
  }
  return { verbs }
}

/** The name of the verb that a problem is about, if it is about the whole of one. */
function nameAt(list: unknown, path: readonly (string | number)[]) {
  const verb = Array.isArray(list) ? list[Number(path[0])] : undefined
  const { verb: name } = membersOf(verb)
  return path.length === 2 ? String(name ?? path[1]) : ''
}
