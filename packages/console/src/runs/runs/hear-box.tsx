import { t } from '@switchroom/contract'
import { useId } from 'react'
import { PlainLink } from '../../lib/plain-link'
import { Notice } from '../../ui/notice'
import { Switch } from '../../ui/toggle'
import type { Prompt } from './prompt-voice'
import type { useHearing } from './use-hearing'

/** The prompt being played, and notes on those that cannot be. */
export function HearBox({
  of: { hearing, heard, broken, next, problem, speaksAll, setSpeaksAll },
  prompts,
}: {
  of: ReturnType<typeof useHearing>
  prompts: readonly Prompt[]
}) {
  const id = useId()
  if (problem) return <Notice tone="warn">{problem}</Notice>
  if (!hearing) return null
  const missing = new Set(
    prompts.flatMap((prompt) => {
      const voice = hearing.voiceOf(prompt)
      return 'problem' in voice && voice.isMissing ? [voice.problem] : []
    }),
  )
  return (
    <section className="run-hear" aria-labelledby={id}>
      <h2 id={id} className="visually-hidden">
        {t('Hear the prompts')}
      </h2>
      <Switch
        label={t('Speak prompts')}
        help={t('Speaks new prompts as they come. The speech vendor charges for each.')}
        value={speaksAll}
        onChange={setSpeaksAll}
      />
      {heard?.state === 'ready' && (
        // biome-ignore lint/a11y/useMediaCaption: the spoken text is in the row
        <audio
          key={heard.url}
          src={heard.url}
          controls
          autoPlay
          onEnded={next}
          onError={broken}
          aria-label={t('Spoken prompt')}
        />
      )}
      {heard?.state === 'loading' && <p className="hint">{t('Generating…')}</p>}
      {heard?.state === 'failed' && <Notice tone="bad">{heard.reason}</Notice>}
      {heard?.state === 'ready' && heard.broken && (
        <Notice tone="bad">{t('This browser cannot play the vendor’s audio.')}</Notice>
      )}
      {[...missing].map((text) => (
        <p key={text} className="hint">
          {text}{' '}
          <PlainLink href="/internal/speech-services/add">{t('Add a speech service')}</PlainLink>
        </p>
      ))}
    </section>
  )
}
