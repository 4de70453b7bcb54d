import { t } from '@switchroom/contract'
import { Button } from './button'
import { CopyBox } from './copy-box'
import { Dialog, DialogFoot } from './dialog'
import { Notice } from './notice'

type Props = { title: string; label: string; token: string; onClose: () => void }

/** A new token, which is never shown again. */
export const TokenDialog = ({ title, label, token, onClose }: Props) => (
  <Dialog open onClose={onClose} title={title}>
    <div className="dialog-body">
      <CopyBox label={label} value={token} secret />
      <Notice tone="warn">{t('Copy it now. It is not shown again.')}</Notice>
      <DialogFoot>
        <Button look="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      </DialogFoot>
    </div>
  </Dialog>
)
