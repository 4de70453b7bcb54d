import { TokenDialog } from '../../ui/token-dialog'

export const NewKeyDialog = (props: { token: string; onClose: () => void }) => (
  <TokenDialog title="Here is your new API key" label="API key" {...props} />
)
