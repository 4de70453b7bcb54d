import { t } from '@switchroom/contract'
import type { FormLike } from '../lib/form-like'
import { Button } from '../ui/button'
import { useReadOnly } from '../ui/field'
import { Section } from '../ui/section'
import { SpeechBlock } from './speech-block'
import { useSpeechSources } from './speech-lists'
import { useInView } from './use-in-view'
import { swapFallback, type Values } from './values'

/** Primary and fallback speech of an application. */
export const Speech = ({ form }: { form: FormLike<Values> }) => (
  <Section title={t('Speech')} about={t('Default text-to-speech and speech-to-text')}>
    <form.Subscribe selector={(s) => s.values.account_sid}>
      {(account_sid) => <OfAccount form={form} account_sid={account_sid} />}
    </form.Subscribe>
  </Section>
)

function OfAccount({ form, account_sid }: { form: FormLike<Values>; account_sid: string }) {
  const { ref, seen } = useInView<HTMLDivElement>()
  const of = useSpeechSources(account_sid, seen)
  const readOnly = useReadOnly()
  return (
    <div ref={ref} className="speech">
      <SpeechBlock form={form} prefix="" of={of} />
      <form.Checkbox
        name="use_for_fallback_speech"
        label={t('Use a fallback speech vendor if primary fails')}
      >
        <SpeechBlock form={form} prefix="fallback_" of={of} />
        {!readOnly && (
          <form.Subscribe selector={(s) => s.values}>
            {(values) => (
              <div>
                <Button
                  size="small"
                  onClick={() => {
                    for (const [name, value] of Object.entries(swapFallback(values)))
                      form.setFieldValue(name, value)
                  }}
                >
                  {t('Swap primary and fallback')}
                </Button>
              </div>
            )}
          </form.Subscribe>
        )}
      </form.Checkbox>
    </div>
  )
}
