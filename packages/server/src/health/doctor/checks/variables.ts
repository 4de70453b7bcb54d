import { t } from '@switchroom/contract'
import { Env } from '../../../config/environment.ts'
import type { Check } from '../check.ts'
import { ok, problem, shortList, warning } from '../finding.ts'

/** Errors of the configuration, which a start reports as well, and names that nothing reads. */
export const variables: Check = {
  name: 'variables',
  async run({ config, environment, problems }) {
    const wrong = [...problems].map(([name, message]) =>
      problem(
        `${name}: ${message.replace(/\.$/, '')}.`,
        t('Correct {name} where the server gets its environment, then start the server again.', {
          name,
        }),
      ),
    )
    const { problem: messaging } = config.messaging
    if (messaging)
      wrong.push(
        problem(
          `JAMBONES_MESSAGING: ${messaging}.`,
          t('Correct it as docs/guides/text-messages.md shows.'),
        ),
      )
    const unknown = Object.keys(environment).filter(
      (name) => name.startsWith('SWITCHROOM_') && !(name in Env.shape),
    )
    if (unknown.length > 0)
      wrong.push(
        warning(
          t('No version of Switchroom up to this one reads {named}.', {
            named: shortList(unknown),
          }),
          t('Compare the spelling with docs/guides/environment.md, or remove it.'),
        ),
      )
    return wrong.length > 0 ? wrong : ok(t('All variables are valid.'))
  },
}
