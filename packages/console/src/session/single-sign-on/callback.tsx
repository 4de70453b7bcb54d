import type { SecondFactorRequest } from '@switchroom/contract'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { messageOf, secondFactorOf } from '../../lib/failure'
import { goOn } from '../../lib/language'
import { adoptSession } from '../../lib/log-in-calls'
import { claims, mustSetUpSecondFactor, setFlash, takeReturnUrl } from '../../lib/session'
import { LoggingIn } from '../logging-in'
import { SecondStep } from '../second-factor/second-step'
import { logInWithAnswer } from './calls'

/** Page that the identity provider redirects the browser to. */
export function SingleSignOnCallback() {
  const navigate = useNavigate()
  const begun = useRef(false)
  const [second, setSecond] = useState<SecondFactorRequest>()

  const arrive = () =>
    goOn(
      mustSetUpSecondFactor() ? '/set-up-second-factor' : takeReturnUrl(claims()?.user_sid ?? ''),
      navigate,
    )
  const giveUp = (problem: string | undefined) => {
    if (problem) setFlash({ text: problem, good: false, ...(claims() && { stay: true }) })
    return navigate({ to: '/', replace: true })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a code can be exchanged only once
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    const answer = new URLSearchParams(location.search)
    // neither in the history nor in the next page's referrer
    history.replaceState(null, '', location.pathname)
    logInWithAnswer(answer).then(arrive, (e: unknown) => {
      const request = secondFactorOf(e)
      return request ? setSecond(request) : giveUp(messageOf(e))
    })
  }, [])

  if (second)
    return (
      <SecondStep
        request={second}
        onDone={async (reply) => {
          await adoptSession(reply)
          return arrive()
        }}
        onBack={(reason) => void giveUp(reason)}
      />
    )
  return <LoggingIn />
}
