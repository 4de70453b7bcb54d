import { DeleteDialog } from '../../lib/delete-dialog'
import { voipCarriers } from '../../lib/endpoints'

export function DeleteVoipCarrier({
  carrier,
  ...rest
}: {
  carrier: { voip_carrier_sid: string; name: string }
  onClose: () => void
  onDeleted?: () => unknown
}) {
  return (
    <DeleteDialog
      endpoint={voipCarriers.remove}
      sent={{ params: { voip_carrier_sid: carrier.voip_carrier_sid } }}
      title="Delete carrier"
      question={`Are you sure you want to delete carrier ${carrier.name}?`}
      confirm="Delete carrier"
      done={`Deleted Carrier ${carrier.name}`}
      forbidden="You do not have permissions to delete this Carrier"
      {...rest}
    />
  )
}
