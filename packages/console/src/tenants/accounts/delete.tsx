import type { Account } from '@switchroom/contract'
import { DeleteDialog } from '../../lib/delete-dialog'
import { accounts } from '../../lib/endpoints'

export function DeleteAccount({
  account,
  ...rest
}: {
  account: Pick<Account, 'account_sid' | 'name'>
  onClose: () => void
  onDeleted?: () => unknown
}) {
  return (
    <DeleteDialog
      endpoint={accounts.remove}
      sent={{ params: { account_sid: account.account_sid }, body: {} }}
      title="Delete account"
      question={`Are you sure you want to delete the account ${account.name}? Its users, carriers and speech services are deleted too.`}
      typeName={account.name}
      used={{ kind: 'account', sid: account.account_sid }}
      confirm="Delete account"
      done={`Deleted account ${account.name}`}
      {...rest}
    />
  )
}
