import { t } from '@switchroom/contract'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/button'
import { rich } from '../../ui/rich'
import { CopyLines } from './copy-lines'

const ConnectPlatform = lazy(async () => ({
  default: (await import('./connect-platform')).ConnectPlatform,
}))

const DOCS = 'https://docs.jambonz.org'

/** Asks if the user has a platform to connect, wants to install one, or only looks around. */
export function PlatformChoice() {
  const [chosen, setChosen] = useState<'connect' | 'get' | 'look'>()
  const choose = (one: NonNullable<typeof chosen>) => () =>
    setChosen(one === chosen ? undefined : one)
  return (
    <>
      <div className="step-actions">
        <Button size="small" look="primary" onClick={choose('connect')}>
          {t('Connect it')}
        </Button>
        <Button size="small" aria-expanded={chosen === 'get'} onClick={choose('get')}>
          {t('I have none yet')}
        </Button>
        <Button size="small" aria-expanded={chosen === 'look'} onClick={choose('look')}>
          {t('Just look around')}
        </Button>
      </div>
      {chosen === 'connect' && (
        <Suspense>
          <ConnectPlatform onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
      {chosen === 'get' && (
        <p>
          {rich(
            'jambonz installs on a machine of your own or at a cloud provider: {docs} says how. Enter here meanwhile what you like: one command carries it over to the platform’s database.',
            {
              docs: (
                <a href={DOCS} target="_blank" rel="noreferrer">
                  docs.jambonz.org
                </a>
              ),
            },
          )}
        </p>
      )}
      {chosen === 'look' && (
        <>
          <p>
            {t(
              'The demo is a separate Switchroom with made-up customers, carriers and calls. It does not touch this one.',
            )}
          </p>
          <CopyLines label={t('In the folder of Switchroom')} lines="npm run demo" />
        </>
      )}
    </>
  )
}
