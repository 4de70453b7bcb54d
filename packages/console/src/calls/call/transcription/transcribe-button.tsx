import { type Call, type Conversation, t } from '@switchroom/contract'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/button'
import type { Before } from './transcription-text'

const TranscribeDialog = lazy(async () => ({
  default: (await import('./transcribe-dialog')).TranscribeDialog,
}))

/** Tells what transcribing the recording of a call takes, and starts it. */
export function TranscribeButton({
  call,
  conversation,
  before,
  label = t('Transcribe'),
}: {
  call: Call
  conversation: Conversation | undefined
  before?: Before
  label?: string
}) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <TranscribeDialog
            call={call}
            conversation={conversation}
            before={before}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
