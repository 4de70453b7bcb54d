import type { AccountView } from '@switchroom/contract'
import { lazy, Suspense } from 'react'
import { EditAccount as AccountForm } from '../tenants/accounts/form'

const Block = lazy(async () => ({ default: (await import('./block')).Subscription }))

/** In the hosted variant alone, which pays for its script. */
const Subscription = (props: { account: AccountView }) => (
  <Suspense>
    <Block {...props} />
  </Suspense>
)

export const EditAccount = () => <AccountForm Subscription={Subscription} />
