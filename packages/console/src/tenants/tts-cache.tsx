import { t } from '@switchroom/contract'
import { type UseQueryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mayWrite } from '../lib/access'
import { messageOf } from '../lib/failure'
import { LoadError } from '../lib/load-error'
import { Button } from '../ui/button'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { Section } from '../ui/section'
import { toastSuccess } from '../ui/toast'

/** The cache of synthesized speech, of one account or of all. */
export function TtsCache({
  count,
  clear: clearCache,
  question,
}: {
  count: UseQueryOptions<{ size: number }>
  clear: () => Promise<unknown>
  question: string
}) {
  const cache = useQuery(count)
  const [confirming, setConfirming] = useState(false)
  const clear = useMutation({
    mutationFn: clearCache,
    onSuccess: () => {
      setConfirming(false)
      toastSuccess(t('Tts Cache successfully cleaned'))
    },
  })
  const size = cache.data?.size ?? 0
  return (
    <Section title={t('TTS cache')}>
      {cache.error ? (
        <LoadError error={cache.error} retry={cache.refetch} />
      ) : (
        <p>
          {cache.data
            ? t('There are {size} cached TTS prompts', { size })
            : t('Counting cached TTS prompts…')}
        </p>
      )}
      {mayWrite() && (
        <div>
          <Button size="small" disabled={size === 0} onClick={() => setConfirming(true)}>
            {t('Clear TTS cache')}
          </Button>
        </div>
      )}
      {confirming && (
        <ConfirmDialog
          open
          onClose={() => setConfirming(false)}
          title={t('Clear TTS cache')}
          confirm={t('Clear TTS cache')}
          busy={clear.isPending}
          error={clear.error ? messageOf(clear.error) : undefined}
          onConfirm={() => clear.mutate()}
        >
          {question}
        </ConfirmDialog>
      )}
    </Section>
  )
}
