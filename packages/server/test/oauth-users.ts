import { browser } from './browser.ts'

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

/** Signs in as this user in a fresh browser, and resolves to the address it is sent back to. */
export const followSignIn = (url: string, person: OAuthUserName, back: string) =>
  browser()(url, person, back)
