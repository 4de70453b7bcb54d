import { Button } from '../../ui/button'
import { CopyBox } from '../../ui/copy-box'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { Notice } from '../../ui/notice'

/** A new key's token, which is never shown again. */
export const TokenDialog = ({ token, onClose }: { token: string; onClose: () => void }) => (
  <Dialog open onClose={onClose} title="Here is your new API key">
    <div className="dialog-body">
      <CopyBox label="API key" value={token} secret />
      <Notice tone="warn">Copy it now. It is not shown again.</Notice>
      <DialogFoot>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFoot>
    </div>
  </Dialog>
)
