import { t } from '@switchroom/contract'
import type { FormLike } from '../lib/form-like'
import { Button } from '../ui/button'
import { useReadOnly } from '../ui/field'
import { formatVerbs } from './verbs'

/** Verbs that run instead of the first request to the webhook. */
export function AppJson({ form }: { form: FormLike<{ app_json: string }> }) {
  const readOnly = useReadOnly()
  const pretty = () => form.setFieldValue('app_json', formatVerbs(form.getFieldValue('app_json')))
  return (
    <form.AppField name="has_app_json">
      {(f) => (
        <f.Checkbox label={t('Override webhook for initial application')}>
          <form.TextArea
            name="app_json"
            label={t('Verbs')}
            mono
            rows={6}
            placeholder={t('an array of jambonz verbs to execute')}
          />
          {!readOnly && (
            <div>
              <Button size="small" onClick={pretty}>
                {t('Format')}
              </Button>
            </div>
          )}
        </f.Checkbox>
      )}
    </form.AppField>
  )
}
