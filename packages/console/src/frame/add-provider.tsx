import { t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { send } from '../lib/api'
import { serviceProviders } from '../lib/endpoints'
import { messageOf } from '../lib/failure'
import { Button } from '../ui/button'
import { Dialog, DialogFoot } from '../ui/dialog'
import { TextField } from '../ui/text-field'
import { toastSuccess } from '../ui/toast'

/** Asks for the name of a new service provider. */
export function AddProvider({
  onClose,
  onAdded,
}: {
  onClose: () => void
  onAdded: (sid: string) => void
}) {
  const [name, setName] = useState('')
  const [missing, setMissing] = useState(false)
  const add = useMutation({
    mutationFn: (body: { name: string }) => send(serviceProviders.create, { body }),
    onSuccess: ({ sid }, body) => {
      toastSuccess(t('Added new service provider {name}', { name: body.name }))
      onClose()
      onAdded(sid)
    },
  })
  const problem = add.error ? messageOf(add.error) : undefined

  const submit = (e: FormEvent) => {
    e.preventDefault()
    // React events bubble from the dialog to the frame, although it is elsewhere in the DOM
    e.stopPropagation()
    setMissing(!name.trim())
    if (name.trim() && !add.isPending) add.mutate({ name: name.trim() })
  }

  return (
    <Dialog open onClose={onClose} title={t('Add new service provider')}>
      <form onSubmit={submit} noValidate>
        <TextField
          label={t('Service provider name')}
          autoFocus
          maxLength={64}
          value={name}
          onChange={setName}
          error={missing && !name.trim() ? t('Required') : problem}
        />
        <DialogFoot>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" busy={add.isPending}>
            {add.isPending ? t('Saving…') : t('Save')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
