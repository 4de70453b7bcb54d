import { t } from '@switchroom/contract'
import { errorMessage } from '../../../errors/members.ts'
import { sentenceOf } from '../../../parts/sentence.ts'
import { homerCaptures } from '../../../stores/sip/homer/store.ts'
import type { Check } from '../check.ts'
import { ok, problem } from '../finding.ts'

const LIMIT_S = 4

/** Checks that Homer answers, accepts the login and searches. */
export const homer: Check = {
  name: 'homer',
  needs: /^HOMER_/,
  async run({ config: { captures } }) {
    if (captures.kind !== 'homer') return undefined
    const to = Date.now()
    try {
      await homerCaptures(captures, LIMIT_S).transaction({
        call_id: 'switchroom-doctor',
        kind: 'call',
        from: to - 1_000,
        to,
      })
      return ok(t('Homer answers and accepts the login.'))
    } catch (e) {
      const message = errorMessage(e)
      if (/rejected the username/.test(message))
        return problem(
          t('Homer at {url} does not accept this username and password.', { url: captures.url }),
          t('Correct HOMER_USERNAME and HOMER_PASSWORD, or change the user in Homer to match.'),
        )
      if (/cannot be read|answered/.test(message))
        return problem(
          t('The server at {url} is not Homer 7.', { url: captures.url }),
          t('Set HOMER_BASE_URL to the address of Homer’s web application, without /api.'),
        )
      return problem(
        t('Homer at {url} cannot be used: {sentence}.', {
          url: captures.url,
          sentence: sentenceOf(e, LIMIT_S * 1_000),
        }),
        t(
          'Make sure that Homer runs and can be reached from this machine, or correct HOMER_BASE_URL.',
        ),
      )
    }
  },
}
