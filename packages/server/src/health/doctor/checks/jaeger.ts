import { t } from '@switchroom/contract'
import { errorMessage } from '../../../errors/members.ts'
import { sentenceOf } from '../../../parts/sentence.ts'
import { jaegerTraces } from '../../../stores/traces/jaeger/store.ts'
import type { Check } from '../check.ts'
import { ok, problem } from '../finding.ts'

const LIMIT_S = 4
/** An id that no trace has. */
const TRACE_ID = '00000000000000000000000000000001'

/** Checks that Jaeger answers in the version of its API that we use. */
export const jaeger: Check = {
  name: 'jaeger',
  needs: /^JAEGER_BASE_URL$/,
  async run({ config: { traces } }) {
    if (traces.kind !== 'jaeger') return undefined
    try {
      await jaegerTraces(traces.url, LIMIT_S).find(TRACE_ID)
      return ok(t('Jaeger answers.'))
    } catch (e) {
      if (/cannot be read|answered/.test(errorMessage(e)))
        return problem(
          t('The server at {url} does not speak version 3 of Jaeger’s query API.', {
            url: traces.url,
          }),
          t(
            'Set JAEGER_BASE_URL to the address of Jaeger’s query service, with its base path, and use Jaeger 1.35 or later.',
          ),
        )
      return problem(
        t('Jaeger at {url} cannot be used: {sentence}.', {
          url: traces.url,
          sentence: sentenceOf(e, LIMIT_S * 1_000),
        }),
        t(
          'Make sure that Jaeger runs and can be reached from this machine, or correct JAEGER_BASE_URL.',
        ),
      )
    }
  },
}
