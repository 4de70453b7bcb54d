import { t } from '@switchroom/contract'
import { useEffect, useState } from 'react'
import { messageOf } from '../../lib/failure'
import { useCapabilities } from '../../lib/use-capabilities'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'

/** Logs in at the identity provider; nothing where single sign-on is off. */
export function SingleSignOnButton() {
  const name = useCapabilities()?.single_sign_on
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    // restored from the back/forward cache with its busy button
    const back = (e: PageTransitionEvent) => e.persisted && setBusy(false)
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])

  async function go() {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      const { goToIdentityProvider } = await import('./calls')
      await goToIdentityProvider()
    } catch (e) {
      setBusy(false)
      setProblem(messageOf(e))
    }
  }

  if (!name) return null
  return (
    <>
      <Button busy={busy} onClick={() => void go()}>
        {t('Log in with {name}', { name })}
      </Button>
      {problem && <Notice tone="bad">{problem}</Notice>}
    </>
  )
}
