import { type Client, t } from '@switchroom/contract'
import { type DeleteCallbacks, DeleteDialog } from '../../lib/delete-dialog'
import { clients } from '../../lib/endpoints'

export function DeleteClient({
  client,
  done = t('Deleted sip client {username}', { username: client.username }),
  ...rest
}: {
  client: Client
  done?: string
} & DeleteCallbacks) {
  return (
    <DeleteDialog
      endpoint={clients.remove}
      sent={{ params: { client_sid: client.client_sid } }}
      title={t('Delete SIP client')}
      question={t('Are you sure you want to delete the sip client {username}?', {
        username: client.username,
      })}
      done={done}
      {...rest}
    />
  )
}
