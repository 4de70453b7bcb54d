import { DeleteDialog } from '../lib/delete-dialog'
import { users } from '../lib/endpoints'
import { requireClaims } from '../lib/session'
import { signOut } from '../lib/session-calls'

export function DeleteUser({
  user,
  onDeleted,
  ...rest
}: {
  user: { user_sid: string; name: string }
  onClose: () => void
  onDeleted?: () => unknown
}) {
  const oneself = user.user_sid === requireClaims().user_sid
  return (
    <DeleteDialog
      endpoint={users.remove}
      sent={{ params: { user_sid: user.user_sid } }}
      title="Delete user"
      question={`Are you sure you want to delete the user ${user.name}?`}
      confirm="Delete user"
      done={`Deleted user ${user.name}`}
      onDeleted={oneself ? signOut : onDeleted}
      {...rest}
    />
  )
}
