import { type Passkey, t } from '@switchroom/contract'
import { passkeys } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { FormDialog } from '../../lib/form-dialog'
import { toastSuccess } from '../../ui/toast'

export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { passkey_sid, name } = passkey
  const form = useApiForm({
    endpoint: passkeys.rename,
    dialog: passkey_sid,
    defaultValues: { name },
    toSend: (body) => ({ params: { passkey_sid }, body }),
    onDone: () => {
      toastSuccess(t('Passkey renamed'))
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={t('Rename passkey')} onClose={onClose}>
      <form.TextField name="name" label={t('Name')} maxLength={64} autoFocus />
    </FormDialog>
  )
}
