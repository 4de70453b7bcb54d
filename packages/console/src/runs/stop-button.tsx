import { t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { Square } from 'lucide-react'
import { messageOf } from '../lib/failure'
import { Button } from '../ui/button'
import { toastError } from '../ui/toast'

/** Stops what runs; stays busy until the page shows that it has ended. */
export function StopButton({ stop }: { stop: () => Promise<unknown> }) {
  const stopping = useMutation({ mutationFn: stop, onError: (e) => toastError(messageOf(e)) })
  const isBusy = stopping.isPending || stopping.isSuccess
  return (
    <Button busy={isBusy} onClick={() => stopping.mutate()}>
      <Square aria-hidden />
      {isBusy ? t('Stopping…') : t('Stop')}
    </Button>
  )
}
