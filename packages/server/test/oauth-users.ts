/** Users of OAuth stand-ins, by the name on the login page. */
export const OAUTH_USERS = {
  jane: { id: 583_231, login: 'jane', email: 'Jane@example.com', verified: true },
  mary: { id: 583_232, login: 'mary', email: 'mary@example.com', verified: true },
  unproved: { id: 583_233, login: 'unproved', email: 'unproved@example.com', verified: false },
}
export type OAuthUserName = keyof typeof OAUTH_USERS

/** The login page of a stand-in. */
export const loginPage = (provider: string, action: string) =>
  `<!doctype html><html lang="en"><title>${provider}</title><h1>${provider}</h1>
<form method="post" action="${action}">${Object.entries(OAUTH_USERS)
    .map(
      ([name, { email }]) =>
        `<button name="person" value="${name}">Continue as ${email}</button><br>`,
    )
    .join('')}</form></html>`

/**
 * Plays the browser in an OAuth sign-in: follows redirects with cookies, chooses the user,
 * and stops at the redirect back. Resolves to that URL.
 */
export async function followSignIn(url: string, person: OAuthUserName, back: string) {
  const jars = new Map<string, Map<string, string>>()
  let next = new URL(url)
  let form: URLSearchParams | undefined
  for (let steps = 0; steps < 15; steps++) {
    if (next.href.startsWith(back)) return next
    const jar = jars.get(next.host) ?? new Map<string, string>()
    jars.set(next.host, jar)
    const answer = await fetch(next, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...jar].map(([k, v]) => `${k}=${v}`).join('; ') },
      ...(form && { body: form }),
    })
    form = undefined
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value) jar.set(name, value)
      else jar.delete(name)
    }
    const location = answer.headers.get('location')
    const text = await answer.text()
    if (location) {
      next = new URL(location, next)
      continue
    }
    const action = /<form method="post" action="([^"]+)"/.exec(text)?.[1]
    if (!action) throw new Error(`No way on from ${next.origin}: ${answer.status} ${text}`)
    next = new URL(action.replaceAll('&amp;', '&'), next)
    form = new URLSearchParams({ person })
  }
  throw new Error('Sent round and round')
}
