import type { Call } from '@switchroom/contract'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { config } from '../../lib/config'
import { RoutePending } from '../../lib/route-states'
import { Tabs } from '../../ui/tabs'
import { Details } from './details'
import type { PartProps } from './part'
import './call.css'

type Part = {
  id: string
  label: string
  Content: ComponentType<PartProps>
  /** Left out if every call has this tab. */
  seen?: (call: Call) => boolean
}

const Tracing = lazy(async () => ({ default: (await import('./tracing/tracing')).Tracing }))
const Sip = lazy(async () => ({ default: (await import('./sip/sip')).Sip }))
const Logs = lazy(async () => ({ default: (await import('./logs')).Logs }))
const Player = lazy(async () => ({ default: (await import('./player/player')).Player }))
const hasTracing = !config.DISABLE_JAEGER_TRACING

/** The tabs of a call. Each has its own chunk and loads its data when opened. */
const parts: Part[] = [
  { id: 'details', label: 'Details', Content: Details },
  { id: 'sip', label: 'SIP', Content: Sip },
  { id: 'tracing', label: 'Tracing', Content: Tracing, seen: () => hasTracing },
  {
    id: 'logs',
    label: 'Logs',
    Content: Logs,
    // as in the platform's own console: without tracing there are only details
    seen: () => hasTracing && config.AWS_REGION !== undefined,
  },
]

/** Everything about one call, in tabs. */
export function CallParts({ call }: { call: Call }) {
  const [tab, setTab] = useState('details')
  const [opened, setOpened] = useState(['details'])
  return (
    <div className="call">
      {call.recording_url && !config.DISABLE_CALL_RECORDING && (
        <Suspense fallback={<RoutePending />}>
          <Player call={call} account_sid={call.account_sid} />
        </Suspense>
      )}
      <Tabs
        label="Parts of the call"
        value={tab}
        onChange={(id) => {
          setTab(id)
          setOpened((old) => (old.includes(id) ? old : [...old, id]))
        }}
        tabs={parts
          .filter(({ seen }) => seen?.(call) ?? true)
          .map(({ id, label, Content }) => ({
            id,
            label,
            content: opened.includes(id) && (
              <Suspense fallback={<RoutePending />}>
                <Content call={call} account_sid={call.account_sid} />
              </Suspense>
            ),
          }))}
      />
    </div>
  )
}
