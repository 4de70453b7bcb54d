import { t } from '@switchroom/contract'
import { type DeleteCallbacks, DeleteDialog } from '../lib/delete-dialog'
import { users } from '../lib/endpoints'
import { requireClaims } from '../lib/session'
import { logOut } from '../lib/session-calls'

export function DeleteUser({
  user,
  onDeleted,
  ...rest
}: {
  user: { user_sid: string; name: string }
} & DeleteCallbacks) {
  const oneself = user.user_sid === requireClaims().user_sid
  return (
    <DeleteDialog
      endpoint={users.remove}
      sent={{ params: { user_sid: user.user_sid } }}
      title={t('Delete user')}
      question={t('Are you sure you want to delete the user {name}?', { name: user.name })}
      done={t('Deleted user {name}', { name: user.name })}
      onDeleted={oneself ? logOut : onDeleted}
      {...rest}
    />
  )
}
