import { send } from '../../lib/api'
import { type Reply, singleSignOn } from '../../lib/endpoints'
import { adoptSession } from '../../lib/log-in-calls'

/** Sends the browser to the identity provider, which sends it back to the callback screen. */
export async function goToIdentityProvider() {
  const { url } = await send(singleSignOn.authorize, {})
  location.assign(url)
}

/** Exchanges the answer of the identity provider for a session. */
export async function logInWithAnswer(
  answer: URLSearchParams,
): Promise<Reply<typeof singleSignOn.logIn>> {
  const text = (name: string) => answer.get(name) ?? undefined
  const reply = await send(singleSignOn.logIn, {
    body: {
      state: text('state') ?? 'none',
      code: text('code'),
      iss: text('iss'),
      error: text('error'),
    },
  })
  await adoptSession(reply)
  return reply
}
