import { plural, type Question, t } from '@switchroom/contract'
import { TextField } from '../../ui/text-field'
import { keyState, keysIn } from './key-input'

type Digits = NonNullable<Question['digits']>
const KEYS = [...'123456789*0#']

/** Sentence on when the platform accepts the keys. */
function endsText({ min, max, finish_keys }: Digits): string {
  const finish = [...finish_keys].join(' ')
  if (max !== null && max > 0)
    return finish
      ? plural(max, 'Sent after 1 key, or with {finish}.|Sent after {n} keys, or with {finish}.', {
          finish,
        })
      : plural(max, 'Sent after 1 key.|Sent after {n} keys.')
  if (finish) return t('Sent with {finish}.', { finish })
  if (min !== null && min > 0)
    return plural(min, 'Complete after 1 key and a pause.|Complete after {n} keys and a pause.')
  return t(
    'Neither a number of keys nor a finish key is set, so the platform drops the keys at the timeout.',
  )
}

/** A telephone's keys: pressed or typed, and sent as soon as the platform would take them. */
export function Keypad({
  digits,
  keys,
  onKeys,
  onComplete,
}: {
  digits: Digits
  keys: string
  onKeys: (keys: string) => void
  onComplete: (keys: string) => void
}) {
  const change = (text: string) => {
    const next = keysIn(text)
    onKeys(next)
    if (next.length > keys.length && keyState(next, digits) === 'complete') onComplete(next)
  }
  return (
    <>
      <TextField
        label={t('Keys')}
        help={endsText(digits)}
        mono
        inputMode="tel"
        value={keys}
        onChange={change}
      />
      <fieldset className="keypad" aria-label={t('Telephone keys')}>
        {KEYS.map((key) => (
          <button key={key} type="button" className="keypad-key" onClick={() => change(keys + key)}>
            {key}
          </button>
        ))}
      </fieldset>
    </>
  )
}
