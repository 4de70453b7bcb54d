import { t } from '@switchroom/contract'
import { TokenDialog } from '../../ui/token-dialog'

export const NewKeyDialog = (props: { token: string; onClose: () => void }) => (
  <TokenDialog title={t('Here is your new API key')} label={t('API key')} {...props} />
)
