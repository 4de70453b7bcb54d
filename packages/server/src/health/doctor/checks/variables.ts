import { t } from '@switchroom/contract'
import { Env } from '../../../config/environment.ts'
import type { Check } from '../check.ts'
import { named, ok, problem, warning } from '../finding.ts'

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
          t('Correct it as the README shows under Text messages.'),
        ),
      )
    const unknown = Object.keys(environment).filter(
      (name) => name.startsWith('SWITCHROOM_') && !(name in Env.shape),
    )
    if (unknown.length > 0)
      wrong.push(
        warning(
          t('No version of Switchroom up to this one reads {named}.', { named: named(unknown) }),
          t('Compare the spelling with the README, under Configuration, or remove it.'),
        ),
      )
    return wrong.length > 0 ? wrong : ok(t('All variables are valid.'))
  },
}
