import { queryClient, send } from '../../lib/api'
import { capabilities } from '../../lib/capabilities'
import type { SpeechApi } from './speech-api'

/**
 * Tests a credential that was just added, for vendors whose credentials the platform ignores until they
 * pass. Only on our server, where tests are free.
 */
export async function testNew({ trials, owner }: SpeechApi, speech_credential_sid: string) {
  if (!(await capabilities())) return
  // on failure its row still says that it is not tested
  const params = { ...owner, speech_credential_sid }
  await send(trials.test, { params, query: {} }).catch(() => undefined)
  // a list that is still being read for the first time is not read again, and may show it as it was before the test
  const reading = queryClient.getQueryCache().findAll({
    fetchStatus: 'fetching',
    predicate: ({ state }) => state.data === undefined,
  })
  await Promise.allSettled(reading.map((query) => query.promise))
  await queryClient.invalidateQueries()
}
