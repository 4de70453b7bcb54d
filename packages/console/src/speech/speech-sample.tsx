import { SPEAK_MAX_CHARACTERS, t } from '@switchroom/contract'
import { Volume2 } from 'lucide-react'
import { useId, useState } from 'react'
import { mayWrite } from '../lib/access'
import { useCapabilities } from '../lib/use-capabilities'
import { Button } from '../ui/button'
import { Notice } from '../ui/notice'
import { TextField } from '../ui/text-field'
import { sampleSentence } from './sample-sentences'
import { type SpeechOwner, speak } from './speech-trials'
import { useSpeechSample } from './use-speech-sample'
import './live-tests.css'

type Sample = { language: string; voice: string; engine?: string | undefined }

/**
 * Lets the user hear a sentence in a voice. Renders nothing if the server cannot do it or the user may not.
 *
 * `owner`: the owner in the credential's path. `language` is empty for vendors that need none.
 */
export function SpeechSample({
  owner,
  speech_credential_sid,
  ...spoken
}: { owner: SpeechOwner; speech_credential_sid: string } & Sample) {
  const [open, setOpen] = useState(false)
  const id = useId()
  if (!useCapabilities() || !mayWrite()) return null
  return (
    <div className="trial">
      <div>
        <Button
          size="small"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        >
          <Volume2 aria-hidden />
          {t('Hear this voice')}
        </Button>
      </div>
      {open && (
        <div id={id} className="trial-more">
          <Sentence {...{ owner, speech_credential_sid, spoken }} />
        </div>
      )}
    </div>
  )
}

function Sentence({
  owner,
  speech_credential_sid,
  spoken,
}: {
  owner: SpeechOwner
  speech_credential_sid: string
  spoken: Sample
}) {
  const [typed, setTyped] = useState<string>()
  const { heard, load, broken } = useSpeechSample()
  // until something is typed, the sample follows the language
  const text = (typed ?? sampleSentence(spoken.language)).trim()
  const voice = JSON.stringify([owner, speech_credential_sid, spoken])
  // audio of another voice is not shown
  const current = heard?.of.startsWith(voice) ? heard : undefined
  const of = voice + text
  const wrong =
    text.length > SPEAK_MAX_CHARACTERS
      ? t('At most {SPEAK_MAX_CHARACTERS} characters. You entered {text}.', {
          SPEAK_MAX_CHARACTERS,
          text: text.length,
        })
      : undefined
  const busy = current?.state === 'loading' && current.of === of
  const listen = () => {
    if (busy || wrong || text === '') return
    const { engine, voice, language } = spoken
    const body = { text, voice, language: language || 'en-US', ...(engine && { engine }) }
    void load(of, () => speak(owner, speech_credential_sid, body))
  }
  return (
    <>
      <TextField
        label={t('Text')}
        value={typed ?? sampleSentence(spoken.language)}
        onChange={setTyped}
        onKeyDown={(e) => {
          if (e.key !== 'Enter') return
          // keep Enter from submitting the surrounding form
          e.preventDefault()
          listen()
        }}
        error={wrong}
        help={t('The vendor may charge for this.')}
      />
      <div className="trial-line">
        <Button
          size="small"
          busy={busy}
          disabled={!spoken.voice || text === '' || !!wrong}
          onClick={listen}
        >
          {busy ? t('Generating…') : t('Listen')}
        </Button>
        {current?.state === 'ready' && (
          // biome-ignore lint/a11y/useMediaCaption: the spoken text is in the field above
          <audio
            key={current.url}
            src={current.url}
            controls
            autoPlay
            onError={broken}
            aria-label={t('Text spoken by {voice}', { voice: spoken.voice })}
          />
        )}
      </div>
      <p className="visually-hidden" role="status">
        {busy
          ? t('Generating speech')
          : current?.state === 'ready' && !current.broken
            ? t('Playing')
            : ''}
      </p>
      {current?.state === 'failed' && <Notice tone="bad">{current.reason}</Notice>}
      {current?.state === 'ready' && current.broken && (
        <Notice tone="bad">{t('This browser cannot play the vendor’s audio.')}</Notice>
      )}
    </>
  )
}
