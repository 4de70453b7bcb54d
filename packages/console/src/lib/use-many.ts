import type { Progress } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { toastError, type Undo } from '../ui/toast'
import type { Endpoint, Reply, Sent } from './endpoints'
import { messageOf } from './failure'

/**
 * Changes many rows, and tells how far it is. It goes on when its component is gone, and its failure is then told in a
 * toast.
 */
export function useMany<E extends Endpoint & { tellsProgress: true }>(
  endpoint: E,
  onDone: (reply: Reply<E>, undo: Undo | undefined) => unknown,
) {
  const [progress, setProgress] = useState<Progress>()
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])
  const change = useMutation({
    mutationFn: async (sent: Sent<E>) => {
      setProgress(undefined)
      // no list needs it before
      const { sendWithProgress } = await import('./answers')
      return sendWithProgress(endpoint, sent, setProgress)
    },
    onSuccess: ({ reply, undo }) => onDone(reply, undo),
    onError: (error) => {
      if (!shown.current) toastError(messageOf(error))
    },
  })
  return { ...change, progress: change.isPending ? progress : undefined }
}
