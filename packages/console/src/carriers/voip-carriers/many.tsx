import { type CarrierSelection, REPLAYED_CARRIERS_MAX } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { send } from '../../lib/api'
import { type Reply, voipCarriers } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { deletedText, ManyDialog, updatedText } from '../../lib/many-dialog'
import { NOUNS } from '../../lib/many-text'
import type { ManyProps } from '../../lib/selection-actions'
import { Notice } from '../../ui/notice'
import './many.css'

type Props = ManyProps<CarrierSelection>
const noun = NOUNS.carrier

const Comparison = lazy(async () => ({
  default: (await import('../replay/result')).ReplayComparison,
}))

export const ActivateCarriers = ({ select, ...rest }: Props) => (
  <ManyDialog
    {...rest}
    endpoint={voipCarriers.updateMany}
    sent={{ body: { select, is_active: 1 } }}
    noun={noun}
    verb="Activate"
    done={updatedText(rest.count, noun, 'activated')}
  >
    Their inbound calls are accepted, carriers that register do so again, and calls without a
    matching route can leave by them.
  </ManyDialog>
)

export const DeactivateCarriers = ({ select, ...rest }: Props) => (
  <ManyDialog
    {...rest}
    endpoint={voipCarriers.updateMany}
    sent={{ body: { select, is_active: 0 } }}
    noun={noun}
    verb="Deactivate"
    done={updatedText(rest.count, noun, 'deactivated')}
  >
    <p>
      Their inbound calls are no longer accepted, they no longer register, and calls without a
      matching route no longer leave by them. Routes that name them still send them calls.
    </p>
    {rest.count <= REPLAYED_CARRIERS_MAX && (
      <section className="replayed" aria-labelledby="replayed-title">
        <h3 id="replayed-title">Outbound calls of the last 24 hours</h3>
        <Suspense>
          <Replay select={select} />
        </Suspense>
      </section>
    )}
  </ManyDialog>
)

function Replay({ select }: { select: CarrierSelection }) {
  // the same until the dialog is closed, however often the list is drawn
  const [draft] = useState({ deactivated: select })
  return <Comparison draft={draft} />
}

export const DeleteCarriers = ({ select, ...rest }: Props) => (
  <ManyDialog
    {...rest}
    endpoint={voipCarriers.removeMany}
    sent={{ body: { select } }}
    noun={noun}
    verb="Delete"
    done={deletedText(noun)}
    danger
  >
    <p>Their SIP and SMPP gateways are deleted with them.</p>
    <InUse select={select} />
  </ManyDialog>
)

/** How many of them cannot be deleted, told beforehand. Which ones and why is told by the refusal. */
function InUse({ select }: { select: CarrierSelection }) {
  const found = useQuery({
    queryKey: [voipCarriers.usesOfMany.path, select],
    queryFn: () => send(voipCarriers.usesOfMany, { body: { select } }),
    meta: { inline: true },
  })
  const text = found.isPending
    ? 'Checking what uses them…'
    : found.error
      ? `What uses them is unknown. ${messageOf(found.error)}`
      : textOf(found.data)
  return (
    <div role="status">
      {found.data?.in_use ? <Notice tone="warn">{text}</Notice> : <p className="hint">{text}</p>}
    </div>
  )
}

function textOf({ carriers, in_use }: Reply<typeof voipCarriers.usesOfMany>) {
  if (in_use === 0) return 'No phone numbers or routes use them.'
  const some =
    carriers === 1
      ? 'The carrier is'
      : `${in_use.toLocaleString()} of ${carriers.toLocaleString()} carriers ${in_use === 1 ? 'is' : 'are'}`
  return `${some} in use by phone numbers or routes. Nothing is deleted while one is in use.`
}
