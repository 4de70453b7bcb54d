import specs from '@jambonz/verb-specifications/specs.json' with { type: 'json' }
import {
  explained,
  isRecord,
  listProblem,
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
    const text = clip(explained(list, wrong, specs, version), 1_000)
    return { problem: { path, text }, reason: clip(wrong.message, 1_000) }
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
