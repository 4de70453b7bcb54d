import { t } from '@switchroom/contract'
import { AudioLines } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { adding, type Thing } from '../../lib/thing'
import { CardLoading } from '../../lib/thing-card'

const Card = lazy(async () => ({ default: (await import('./card')).Card }))

export const thing: Thing = {
  label: t('Speech service'),
  icon: AudioLines,
  words: t('TTS STT voices recognizers vendors'),
  add: () => adding(t('Add speech service'), '/internal/speech-services/add'),
  calls: null,
  actions: null,
  Card: (props) => (
    <Suspense fallback={<CardLoading />}>
      <Card {...props} />
    </Suspense>
  ),
}
