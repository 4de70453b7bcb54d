import type { Client } from '@switchroom/contract'
import { DeleteDialog } from '../../lib/delete-dialog'
import { clients } from '../../lib/endpoints'

export function DeleteClient({
  client,
  done = `Deleted sip client ${client.username}`,
  ...rest
}: {
  client: Client
  done?: string
  onClose: () => void
  onDeleted?: () => unknown
}) {
  return (
    <DeleteDialog
      endpoint={clients.remove}
      sent={{ params: { client_sid: client.client_sid } }}
      title="Delete SIP client"
      question={`Are you sure you want to delete the sip client ${client.username}?`}
      confirm="Delete SIP client"
      done={done}
      {...rest}
    />
  )
}
