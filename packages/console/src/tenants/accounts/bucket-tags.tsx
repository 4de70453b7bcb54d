import { t } from '@switchroom/contract'
import { Plus, Trash2 } from 'lucide-react'
import type { FormLike } from '../../lib/form-like'
import { Button, IconButton } from '../../ui/button'
import { useReadOnly } from '../../ui/field'
import { rich } from '../../ui/rich'
import type { BucketValues } from './bucket'
import './bucket-tags.css'

/** Tags of every stored recording. */
export function BucketTags({
  form,
  of,
  tags,
}: {
  form: FormLike
  of: string
  tags: BucketValues['tags']
}) {
  const readOnly = useReadOnly()
  const set = (next: BucketValues['tags']) => form.setFieldValue('bucket.tags', next)
  return (
    <fieldset className="bucket-tags">
      <legend>{rich('{of} tags', { of })}</legend>
      {tags.map((_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is what its place in the form's list says
        <div className="bucket-tag" key={i}>
          <form.TextField name={`bucket.tags[${i}].name`} label={t('Name')} />
          <form.TextField name={`bucket.tags[${i}].value`} label={t('Value')} />
          {!readOnly && (
            <IconButton
              label={t('Delete tag {n}', { n: i + 1 })}
              onClick={() => set(tags.filter((_, other) => other !== i))}
            >
              <Trash2 />
            </IconButton>
          )}
        </div>
      ))}
      {readOnly && tags.length === 0 && <span className="none">{t('None')}</span>}
      {!readOnly && (
        <div>
          <Button size="small" onClick={() => set([...tags, { name: '', value: '' }])}>
            <Plus aria-hidden />
            {rich('Add {of} tags', { of })}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
