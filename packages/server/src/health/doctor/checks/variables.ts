import { t } from '@switchroom/contract'
import { Env } from '../../../config/environment.ts'
import type { Check } from '../check.ts'
import { ok, problem, shortList, warning } from '../finding.ts'

/** Invalid variables, as reported at start, and unknown ones. */
export const variables: Check = {
  name: 'variables',
  async run({ config, environment, problems }) {
    const findings = [...problems].map(([name, message]) =>
      problem(
        `${name}: ${message.replace(/\.$/, '')}.`,
        t('Correct {name} where the server gets its environment, then start the server again.', {
          name,
        }),
      ),
    )
    const { problem: messaging } = config.messaging
    if (messaging)
      findings.push(
        problem(
          `JAMBONES_MESSAGING: ${messaging}.`,
          t('Correct it as docs/guides/text-messages.md shows.'),
        ),
      )
    const unknown = Object.keys(environment).filter(
      (name) => name.startsWith('SWITCHROOM_') && !(name in Env.shape),
    )
    if (unknown.length > 0)
      findings.push(
        warning(
          t('Unknown variables: {named}.', { named: shortList(unknown) }),
          t('Compare the spelling with docs/guides/environment.md, or remove it.'),
        ),
      )
    return findings.length > 0 ? findings : ok(t('All variables are valid.'))
  },
}
