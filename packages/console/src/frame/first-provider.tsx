import { t } from '@switchroom/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { mayWrite } from '../lib/access'
import { selectProvider } from '../lib/current-provider'
import { homeHref } from '../lib/session'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/states'
import { AddProvider } from './add-provider'

/** In place of the screens whose things belong to a service provider, while there is none. */
export function FirstProvider() {
  const navigate = useNavigate()
  const [adding, setAdding] = useState(false)
  return (
    <EmptyState
      text={
        mayWrite()
          ? t('There is no service provider. Add one to go on.')
          : t('There is no service provider.')
      }
    >
      {mayWrite() && (
        <Button look="primary" onClick={() => setAdding(true)}>
          {t('Add service provider')}
        </Button>
      )}
      {adding && (
        <AddProvider
          onClose={() => setAdding(false)}
          onAdded={(sid) => {
            selectProvider(sid)
            void navigate({ href: homeHref() })
          }}
        />
      )}
    </EmptyState>
  )
}
