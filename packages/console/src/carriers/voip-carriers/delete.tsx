import { type ThingUse, t } from '@switchroom/contract'
import { lazy, Suspense } from 'react'
import { type DeleteCallbacks, DeleteDialog } from '../../lib/delete-dialog'
import { voipCarriers } from '../../lib/endpoints'
import { useCarrierChoices } from '../../lib/pickers'

// few that are deleted have numbers
const MoveNumbers = lazy(async () => ({
  default: (await import('../../lib/move-numbers')).MoveNumbers,
}))

export function DeleteVoipCarrier({
  carrier,
  ...rest
}: {
  carrier: { voip_carrier_sid: string; name: string }
} & DeleteCallbacks) {
  return (
    <DeleteDialog
      endpoint={voipCarriers.remove}
      sent={{ params: { voip_carrier_sid: carrier.voip_carrier_sid } }}
      title={t('Delete carrier')}
      question={t('Are you sure you want to delete carrier {name}?', { name: carrier.name })}
      done={t('Deleted Carrier {name}', { name: carrier.name })}
      forbidden={t('You do not have permissions to delete this Carrier')}
      used={{
        kind: 'voip_carrier',
        sid: carrier.voip_carrier_sid,
        remedy: (use) => <Remedy voip_carrier_sid={carrier.voip_carrier_sid} use={use} />,
      }}
      {...rest}
    />
  )
}

function Remedy({ voip_carrier_sid, use }: { voip_carrier_sid: string; use: ThingUse }) {
  const { isEmpty: _, ...choices } = useCarrierChoices('')
  if (use.of !== 'phone_number') return null
  return (
    <Suspense>
      <MoveNumbers
        of="voip_carrier_sid"
        from={voip_carrier_sid}
        count={use.total}
        label={t('Carrier to move numbers to')}
        choices={choices}
      />
    </Suspense>
  )
}
