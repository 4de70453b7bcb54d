import specs from '@jambonz/verb-specifications/specs.json' with { type: 'json' }
import {
  explained,
  listProblem,
  plural,
  type RequestBody,
  t,
  type Verdict,
} from '@switchroom/contract'
import { readAnswer } from '../../applications/webhook-answer.ts'
import type { Answer } from '../../outbound/outbound.ts'

const NOWHERE = { line: null, column: null, path: null }

const bad = (message: string, at: Partial<Omit<Verdict, 'ok' | 'message'>> = {}): Verdict => ({
  ok: false,
  message,
  ...NOWHERE,
  ...at,
})

/**
 * Verdict on a calling webhook's response: would the platform run its verbs? Lines are counted in `shown`, which
 * masking may have rewritten. `version` is the platform's.
 */
export async function judge(
  version: string,
  answer: Pick<Answer, 'status' | 'headers' | 'text'>,
  shown: Pick<RequestBody, 'text'>,
): Promise<Verdict> {
  const read = await readAnswer(answer)
  switch (read.kind) {
    case 'redirect':
      return bad(t('The platform does not follow redirects. It would reject the call.'))
    case 'status':
      return bad(
        t(
          'The platform accepts the statuses 200, 202 and 204, not {status}. It would reject the call.',
          { status: answer.status },
        ),
      )
    case 'empty':
      return bad(t('The response is empty. The platform would reject the call.'))
    case 'other_type':
      return bad(t('The platform reads the response only if its content type is application/json.'))
    case 'broken':
      return bad(t('Not valid JSON'), positionIn(shown.text, read.offset))
    case 'json':
      return judgeVerbs(version, read.body, shown)
  }
}

async function judgeVerbs(version: string, verbs: unknown, shown: Pick<RequestBody, 'text'>) {
  const problem = listProblem(verbs, specs, version)
  if (problem) {
    const { findNodeAtLocation, parseTree } = await import('jsonc-parser')
    const all = parseTree(shown.text)
    const node = all && findNodeAtLocation(all, problem.path)
    const at = node?.parent?.type === 'property' ? node.parent : node
    return bad(explained(verbs, problem, specs, version), {
      path: problem.path,
      ...(at && positionIn(shown.text, at.offset)),
    })
  }
  const count = Array.isArray(verbs) ? verbs.length : 0
  if (count === 0) return bad(t('The list has no verbs. The platform would reject the call.'))
  const message = plural(count, 'The verb is valid.|All {n} verbs are valid.')
  return { ok: true, message, ...NOWHERE }
}

/** Position in the shown text; undefined beyond its end. */
function positionIn(text: string, offset: number) {
  if (offset > text.length) return undefined
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}
