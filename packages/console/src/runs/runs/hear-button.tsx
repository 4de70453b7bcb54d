import { t } from '@switchroom/contract'
import { Square, Volume2 } from 'lucide-react'
import { useContext } from 'react'
import { IconButton } from '../../ui/button'
import { HearingContext } from './hearing'
import type { Prompt } from './prompt-voice'

/** Plays a prompt, or says that it is too long. Missing speech services are shown once, beside the run. */
export function HearButton({ prompt, index }: { prompt: Prompt; index: number }) {
  const hearing = useContext(HearingContext)
  if (!hearing || prompt.text === null) return null
  const voice = hearing.voiceOf(prompt)
  if ('problem' in voice)
    return voice.isMissing ? null : <span className="run-unheard">{voice.problem}</span>
  const isCurrent = hearing.current === index
  return isCurrent ? (
    <IconButton
      className="turn-play"
      label={hearing.isLoading ? t('Generating speech') : t('Stop speaking')}
      aria-busy={hearing.isLoading}
      onClick={hearing.stop}
    >
      <Square />
    </IconButton>
  ) : (
    <IconButton className="turn-play" label={t('Hear it')} onClick={() => hearing.play(index)}>
      <Volume2 />
    </IconButton>
  )
}
