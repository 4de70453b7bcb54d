import { t } from '@switchroom/contract'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Pause, Play } from 'lucide-react'
import { useState } from 'react'
import { defined, oneOf } from '../../lib/list-search'
import { Button } from '../../ui/button'
import { PageHeader } from '../../ui/page-header'
import { Status } from '../../ui/status'
import { Tabs } from '../../ui/tabs'
import { Calls } from './calls'
import { Queues } from './queues'
import { RegisteredUsers } from './users'

const route = getRouteApi('/internal/live')

const STATES = {
  live: { tone: 'ok', text: t('Live') },
  paused: { tone: 'off', text: t('Paused') },
  lost: { tone: 'bad', text: t('Not connected') },
} as const

/** Live calls, queues, conferences and registered users. */
export function Live() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const [paused, setPaused] = useState(false)
  const [lost, setLost] = useState(false)
  const { tab = 'calls' } = search
  const state = STATES[paused ? 'paused' : lost ? 'lost' : 'live']
  const props = { search, paused, onLost: setLost }
  // only the open tab polls
  const tabs = [
    { id: 'calls', label: t('Calls'), content: tab === 'calls' && <Calls {...props} /> },
    {
      id: 'queues',
      label: t('Queues and conferences'),
      content: tab === 'queues' && <Queues {...props} />,
    },
    {
      id: 'users',
      label: t('Registered users'),
      content: tab === 'users' && <RegisteredUsers {...props} />,
    },
  ]
  return (
    <>
      <PageHeader title={t('Live')}>
        <span role="status">
          <Status tone={state.tone}>{state.text}</Status>
        </span>
        <Button onClick={() => setPaused(!paused)}>
          {paused ? <Play aria-hidden /> : <Pause aria-hidden />}
          {paused ? t('Resume') : t('Pause')}
        </Button>
      </PageHeader>
      <div className="live-lists">
        <Tabs
          label={t('Live')}
          tabs={tabs}
          value={tab}
          onChange={(id) =>
            void navigate({
              to: '.',
              search: defined({
                tab: oneOf(['queues', 'users'], id),
                account_sid: search.account_sid,
              }),
            })
          }
        />
      </div>
    </>
  )
}
