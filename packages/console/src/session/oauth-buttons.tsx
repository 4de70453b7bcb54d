import { type LocationBeforeAuth, type OAuthProvider, t } from '@switchroom/contract'
import { useEffect, useState } from 'react'
import { config } from '../lib/config'
import { messageOf } from '../lib/failure'
import { Button } from '../ui/button'
import { GitHubMark, GoogleMark } from '../ui/marks'
import { Notice } from '../ui/notice'

/** The OAuth providers that are configured. */
export const oauthWays = (
  [
    { provider: 'google', name: t('Google'), Mark: GoogleMark, id: config.GOOGLE_CLIENT_ID },
    { provider: 'github', name: 'GitHub', Mark: GitHubMark, id: config.GITHUB_CLIENT_ID },
  ] as const
).filter((way) => config.ENABLE_HOSTED_SYSTEM && way.id)

/** A button for each OAuth provider. `ready` can keep the user from continuing. */
export function OAuthButtons({
  verb,
  from,
  ready,
}: {
  verb: 'log_in' | 'sign_up'
  from: LocationBeforeAuth
  ready?: () => boolean | Promise<boolean>
}) {
  const [busy, setBusy] = useState<OAuthProvider>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    // restored from the back/forward cache with its busy button
    const back = (e: PageTransitionEvent) => e.persisted && setBusy(undefined)
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])

  async function go(provider: OAuthProvider) {
    if (busy) return
    setBusy(provider)
    setProblem(undefined)
    try {
      if ((await ready?.()) === false) return setBusy(undefined)
      const { goToProvider } = await import('./oauth')
      await goToProvider(provider, from)
    } catch (e) {
      setBusy(undefined)
      setProblem(messageOf(e))
    }
  }

  return (
    <>
      {oauthWays.map(({ provider, name, Mark }) => (
        <Button key={provider} busy={busy === provider} onClick={() => void go(provider)}>
          <Mark />
          {verb === 'log_in'
            ? t('Log in with {name}', { name })
            : t('Sign up with {name}', { name })}
        </Button>
      ))}
      {problem && <Notice tone="bad">{problem}</Notice>}
    </>
  )
}
