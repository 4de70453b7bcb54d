import {
  type CarrierSelection,
  numberText,
  plural,
  REPLAYED_CARRIERS_MAX,
  t,
} from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { send } from '../../lib/api'
import { type Reply, voipCarriers } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { ManyDialog, updatedText } from '../../lib/many-dialog'
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
    title={plural(rest.count, 'Activate 1 carrier|Activate {n} carriers')}
    done={updatedText(rest.count, (n) => plural(n, '1 carrier activated|{n} carriers activated'))}
  >
    {t(
      'Their inbound calls are accepted, carriers that register do so again, and calls without a matching route can leave by them.',
    )}
  </ManyDialog>
)

export const DeactivateCarriers = ({ select, ...rest }: Props) => (
  <ManyDialog
    {...rest}
    endpoint={voipCarriers.updateMany}
    sent={{ body: { select, is_active: 0 } }}
    noun={noun}
    title={plural(rest.count, 'Deactivate 1 carrier|Deactivate {n} carriers')}
    done={updatedText(rest.count, (n) =>
      plural(n, '1 carrier deactivated|{n} carriers deactivated'),
    )}
  >
    <p>
      {t(
        'Their inbound calls are no longer accepted, they no longer register, and calls without a matching route no longer leave by them. Routes that name them still send them calls.',
      )}
    </p>
    {rest.count <= REPLAYED_CARRIERS_MAX && (
      <section className="replayed" aria-labelledby="replayed-title">
        <h3 id="replayed-title">{t('Outbound calls of the last 24 hours')}</h3>
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
    title={plural(rest.count, 'Delete 1 carrier|Delete {n} carriers')}
    done={({ deleted }) => plural(deleted, '1 carrier deleted|{n} carriers deleted')}
    danger
  >
    <p>{t('Their SIP and SMPP gateways are deleted with them.')}</p>
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
    ? t('Checking what uses them…')
    : found.error
      ? t('Could not check what uses them. {message}', { message: messageOf(found.error) })
      : textOf(found.data)
  return (
    <div role="status">
      {found.data?.in_use ? <Notice tone="warn">{text}</Notice> : <p className="hint">{text}</p>}
    </div>
  )
}

function textOf({ carriers, in_use }: Reply<typeof voipCarriers.usesOfMany>) {
  if (in_use === 0) return t('No phone numbers or routes use them.')
  if (carriers === 1)
    return t(
      'The carrier is in use by phone numbers or routes. Nothing is deleted while one is in use.',
    )
  return plural(
    in_use,
    '1 of {carriers} carriers is in use by phone numbers or routes. Nothing is deleted while one is in use.|{n} of {carriers} carriers are in use by phone numbers or routes. Nothing is deleted while one is in use.',
    { carriers: numberText(carriers) },
  )
}
