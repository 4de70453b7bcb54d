import { SPEECH_MODELS } from '../speech/vendors/models.ts'
import { isRecord, membersOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'
import { readVerb, specsOf, type VerbProblem, type VerbSpecs, verbProblem } from './app-json.ts'
import { isNewer, PLATFORM_VERSION } from './platform-version.ts'

/**
 * The first reason why the platform would refuse these verbs in a call: those of `verbProblem`, and what it says against a
 * language model as it makes the verb.
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

function modelProblem(verb: Record<string, unknown>): VerbProblem | undefined {
  const { name, members } = readVerb(verb)
  if (name !== 'llm') return
  const { vendor, auth, connectOptions, llmOptions } = members
  const within = 'verb' in verb ? [] : Object.keys(verb)
  const model = SPEECH_MODELS.get(String(vendor))
  if (!model)
    return {
      path: [...within, 'vendor'],
      message: t('Unsupported vendor {vendor} for LLM', { vendor: String(vendor) }),
    }
  if (!membersOf(auth)[model.auth])
    return {
      path: auth === undefined ? within : [...within, 'auth'],
      message: t('auth.{member} is required for {name} S2S', {
        member: model.auth,
        name: model.name,
      }),
    }
  if (model.host && !membersOf(connectOptions).host)
    return {
      path: within,
      message: t('connectionOptions.host is required for {name} S2S', { name: model.host }),
    }
  const given = membersOf(llmOptions)
  const [option] = model.options ?? []
  if (option && !model.options?.some((one) => typeof given[one] === 'object'))
    return {
      path: [...within, 'llmOptions'],
      message: t('llmOptions with an initial {option} is required for {name} S2S', {
        option: option.replace('_', '.'),
        name: model.name,
      }),
    }
}
