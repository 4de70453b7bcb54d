import { t, type Use } from '@switchroom/contract'
import { useEffect, useState } from 'react'
import { messageOf } from '../../lib/failure'
import { fieldComponents, useFieldContext } from '../../lib/form-fields'
import { Skeleton } from '../../ui/states'
import { type CatalogueCredential, modelsOf, useCatalogue } from './catalogue'
import { CatalogueSource } from './catalogue-source'

const { ComboboxField, TextField } = fieldComponents

/** A model from the vendor's list. A stored model stays even if it is not listed. */
export function ModelField({
  vendor,
  use,
  label,
  optional,
  preset,
  of,
}: {
  vendor: string
  use: Use
  label: string
  optional?: boolean | undefined
  /** Preselected for a new credential, if it is listed. */
  preset: string | undefined
  of: CatalogueCredential
}) {
  const field = useFieldContext<string>()
  const result = useCatalogue(vendor, of, true)
  const models = modelsOf(result.data, use)
  const first = (models.find((m) => m.value === preset) ?? models[0])?.value
  const { value } = field.state
  const [begun, setBegun] = useState(of !== undefined || value !== '')
  useEffect(() => {
    // only once, when the list has loaded: clearing it afterwards is deliberate
    if (begun || first === undefined) return
    setBegun(true)
    field.handleChange(first)
  }, [begun, first, field])

  if (result.isLoading)
    return (
      <div className="field" role="status" aria-label={t('Loading: {label}', { label })}>
        <Skeleton height={58} />
      </div>
    )
  if (models.length === 0)
    return (
      <TextField
        label={label}
        optional={optional}
        help={
          result.error
            ? t('The list of models could not be loaded: {message}', {
                message: messageOf(result.error),
              })
            : t('The vendor lists no models; its documentation names them.')
        }
      />
    )
  const listed = value === '' || models.some((m) => m.value === value)
  return (
    <ComboboxField
      label={label}
      optional={optional}
      placeholder={t('Choose a model')}
      options={listed ? models : [{ value, label: value, note: t('not listed') }, ...models]}
      help={<CatalogueSource of={result.data} />}
    />
  )
}
