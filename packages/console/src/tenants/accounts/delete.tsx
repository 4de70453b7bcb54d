import { type Account, t } from '@switchroom/contract'
import { type DeleteCallbacks, DeleteDialog } from '../../lib/delete-dialog'
import { accounts } from '../../lib/endpoints'

export function DeleteAccount({
  account,
  ...rest
}: {
  account: Pick<Account, 'account_sid' | 'name'>
} & DeleteCallbacks) {
  return (
    <DeleteDialog
      endpoint={accounts.remove}
      sent={{ params: { account_sid: account.account_sid }, body: {} }}
      title={t('Delete account')}
      question={t(
        'Are you sure you want to delete the account {name}? Its users, carriers and speech services are deleted too.',
        { name: account.name },
      )}
      typeName={account.name}
      used={{ kind: 'account', sid: account.account_sid }}
      done={t('Deleted account {name}', { name: account.name })}
      {...rest}
    />
  )
}
