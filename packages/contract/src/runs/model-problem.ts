import {
  readVerb,
  specsOf,
  type VerbProblem,
  type VerbSpecs,
  verbProblem,
} from '../applications/app-json.ts'
import {
  isNewer,
  NEWEST_PLATFORM,
  newerSentence,
  PLATFORM_VERSION,
} from '../applications/platform-version.ts'
import { SPEECH_MODELS } from '../speech/vendors/models.ts'
import { isRecord, membersOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'

/**
 * The first reason why the platform would refuse these verbs in a call: those of `verbProblem`, and what it demands of a
 * language model when it makes the verb. How the platform words that is not known; these words are ours.
 */
export function listProblem(
  verbs: unknown,
  specs: VerbSpecs,
  version = PLATFORM_VERSION,
): VerbProblem | undefined {
  const wrong = verbProblem(verbs, specsOf(specs, version))
  // what later versions demand of a model is not known
  if (isNewer(version)) return wrong
  // it makes one after the other
  const made = Array.isArray(verbs)
    ? verbs.slice(0, wrong ? Number(wrong.path[0] ?? 0) : undefined)
    : []
  for (const [i, verb] of made.entries()) {
    const problem = isRecord(verb) && modelProblem(verb)
    if (problem) return { ...problem, path: [i, ...problem.path] }
  }
  return wrong
}

/** Why a version of the platform refuses these verbs, with what later versions make of it. */
export function explained(
  verbs: unknown,
  { path, message }: VerbProblem,
  specs: VerbSpecs,
  version = PLATFORM_VERSION,
): string {
  const problemIn = (one: string) => verbProblem(verbs, specsOf(specs, one))
  const isSame = (one: VerbProblem | undefined) =>
    one?.message === message && one.path.join('.') === path.join('.')
  // what a model lacks is not known of later versions
  if (!isSame(problemIn(version)) || isSame(problemIn(NEWEST_PLATFORM))) return message
  const verb = Array.isArray(verbs) ? membersOf(verbs[Number(path[0])]).verb : undefined
  return (
    newerSentence(String(verb ?? path[1]), version) ??
    t('{problem}. Later versions of the platform than {version} know it.', {
      problem: message,
      version,
    })
  )
}

function modelProblem(verb: Record<string, unknown>): VerbProblem | undefined {
  const { name, members } = readVerb(verb)
  if (name !== 'llm') return
  const { vendor, auth, connectOptions, llmOptions } = members
  const within = 'verb' in verb ? [] : Object.keys(verb)
  const named = String(vendor)
  const model = SPEECH_MODELS.get(named)
  if (!model)
    return {
      path: [...within, 'vendor'],
      message: t('The platform has no language model of the vendor {vendor}', { vendor: named }),
    }
  const missing = (member: string) =>
    t('The model of {vendor} needs {member}', { vendor: named, member })
  if (!membersOf(auth)[model.auth])
    return {
      path: auth === undefined ? within : [...within, 'auth'],
      message: missing(`auth.${model.auth}`),
    }
  if (model.host && !membersOf(connectOptions).host)
    return { path: within, message: missing('connectOptions.host') }
  const given = membersOf(llmOptions)
  const [option] = model.options ?? []
  if (option && !model.options?.some((one) => typeof given[one] === 'object'))
    return { path: [...within, 'llmOptions'], message: missing(`llmOptions.${option}`) }
}
