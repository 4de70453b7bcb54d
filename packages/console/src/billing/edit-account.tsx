import { EditAccount as AccountForm } from '../tenants/accounts/form'
import { Subscription } from './block'

export const EditAccount = () => <AccountForm Subscription={Subscription} />
