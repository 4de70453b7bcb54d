import { type ApiKey, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../lib/api'
import { apiKeys } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { Button } from '../../ui/button'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { Notice } from '../../ui/notice'
import { rich } from '../../ui/rich'
import { SelectField } from '../../ui/select'
import { toastSuccess } from '../../ui/toast'
import { NewKeyDialog } from './token'

const HOUR = 3_600
const OVERLAPS = [
  { value: '0', label: t('Not at all') },
  { value: String(HOUR), label: t('For an hour') },
  { value: String(24 * HOUR), label: t('For a day') },
  { value: String(7 * 24 * HOUR), label: t('For a week') },
  { value: String(30 * 24 * HOUR), label: t('For 30 days') },
]

/** Replaces a key by a new one with the same limits. The old one may stay valid for a while. */
export function RotateKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [overlap, setOverlap] = useState(String(24 * HOUR))
  const { api_key_sid } = apiKey
  const rotate = useMutation({
    mutationFn: () =>
      send(apiKeys.rotate, { params: { api_key_sid }, body: { overlap_secs: Number(overlap) } }),
    onSuccess: () => toastSuccess(t('API key rotated')),
  })
  if (rotate.data) return <NewKeyDialog token={rotate.data.token} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={t('Rotate API key')}>
      <div className="dialog-body">
        <p>
          {rich(
            'Creates a new key with the same limits as {name}. Update the programs that use the old key while it is still valid.',
            { name: apiKey.name ?? api_key_sid },
          )}
        </p>
        <SelectField
          label={t('The old key stays valid')}
          options={OVERLAPS}
          value={overlap}
          onChange={setOverlap}
        />
        {rotate.error && <Notice tone="bad">{messageOf(rotate.error)}</Notice>}
        <DialogFoot>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
            {rotate.isPending ? t('Rotating key…') : t('Rotate key')}
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  )
}
