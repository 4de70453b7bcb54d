import {
  INVALID_STATE,
  notAnOAuthProvider,
  OAUTH_PROVIDER_NAMES,
  type OAuthProvider,
  type SecondFactorRequest,
  t,
} from '@switchroom/contract'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { messageOf, secondFactorOf, statusOf } from '../../lib/failure'
import { goOn } from '../../lib/language'
import { adoptSession } from '../../lib/log-in-calls'
import { claims, setFlash, takeReturnUrl } from '../../lib/session'
import { LoggingIn } from '../logging-in'
import { takeOAuthReturnPath } from '../oauth'
import { SecondStep } from '../second-factor/second-step'
import { registerWithOAuth } from './calls'

const route = getRouteApi('/oauth-callback/$provider')

type Next = { href: string; problem?: string } | { second: SecondFactorRequest }

const isProvider = (name: string): name is OAuthProvider => name in OAUTH_PROVIDER_NAMES

async function finishLogIn(provider: string, answer: URLSearchParams): Promise<Next> {
  if (!isProvider(provider)) return { href: '/', problem: notAnOAuthProvider(provider) }
  const code = answer.get('code')
  const state = answer.get('state')
  const from = state ? takeOAuthReturnPath(state) : undefined
  if (!state || !from) return { href: '/', problem: INVALID_STATE }
  const back = from === '/register' ? '/register' : '/'
  if (answer.has('error'))
    return {
      href: back,
      problem: t('You did not log in with {provider}.', {
        provider: OAUTH_PROVIDER_NAMES[provider],
      }),
    }
  if (!code) return { href: '/', problem: INVALID_STATE }
  try {
    const oauth2_iss = answer.get('iss') ?? undefined
    await registerWithOAuth(provider, { oauth2_code: code, oauth2_state: state, oauth2_iss }, from)
  } catch (e) {
    const second = secondFactorOf(e)
    if (second) return { second }
    const problem =
      statusOf(e) === 404
        ? t('You have not registered with {provider} yet. You can register here.', {
            provider: OAUTH_PROVIDER_NAMES[provider],
          })
        : messageOf(e)
    return { href: problem === INVALID_STATE ? '/' : '/register', problem }
  }
  // an account without a realm is redirected to choose one
  return { href: takeReturnUrl(claims()?.user_sid ?? '') }
}

/** The redirect target of Google and GitHub. */
export function OAuthCallback() {
  const { provider } = route.useParams()
  const navigate = useNavigate()
  const begun = useRef(false)
  const [second, setSecond] = useState<SecondFactorRequest>()
  useEffect(() => {
    // a code can be exchanged only once
    if (begun.current) return
    begun.current = true
    void finishLogIn(provider, new URLSearchParams(location.search)).then((next) => {
      if ('second' in next) return setSecond(next.second)
      const { href, problem } = next
      if (problem) setFlash({ text: problem, good: false, ...(claims() && { stay: true }) })
      return goOn(href, navigate)
    })
  }, [provider, navigate])
  if (second)
    return (
      <SecondStep
        request={second}
        onDone={async (reply) => {
          await adoptSession(reply)
          return goOn(takeReturnUrl(reply.user_sid), navigate)
        }}
        onBack={(reason) => {
          if (reason) setFlash({ text: reason, good: false })
          void navigate({ to: '/', replace: true })
        }}
      />
    )
  return <LoggingIn />
}
