import { LOGO_TOO_LARGE, type Logo, MAX_LOGO_BYTES, t } from '@switchroom/contract'
import { useState } from 'react'
import { Button } from '../../ui/button'
import { useReadOnly } from '../../ui/field'
import { FileField } from '../../ui/file-field'

/** A digest is that of a stored logo. */
export type LogoValue = Logo | string | null

const TYPES = ['image/svg+xml', 'image/png'] as const

async function read(file: File): Promise<Logo | string> {
  const type = TYPES.find((t) => t === file.type)
  if (!type) return t('Choose an SVG or PNG file')
  if (file.size > MAX_LOGO_BYTES) return LOGO_TOO_LARGE
  const bytes = new Uint8Array(await file.arrayBuffer())
  return { type, data: btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join('')) }
}

/** An SVG or PNG file. The server checks what is in it. */
export function LogoField({
  label,
  value,
  onChange,
  error,
}: {
  label: string
  value: LogoValue
  onChange: (value: LogoValue) => void
  error?: string | undefined
}) {
  const readOnly = useReadOnly()
  const [problem, setProblem] = useState<string>()
  const [name, setName] = useState<string>()
  const take = async (file: File) => {
    const logo = await read(file).catch(() => t('The file cannot be read'))
    setProblem(typeof logo === 'string' ? logo : undefined)
    if (typeof logo === 'string') return
    setName(file.name)
    onChange(logo)
  }
  return (
    <div>
      <FileField
        label={label}
        optional
        help={t('SVG or PNG, at most 64 kB.')}
        error={problem ?? error}
        accept={TYPES.join()}
        chosen={
          value === null ? t('No logo') : (typeof value !== 'string' && name) || t('A logo is set')
        }
        onFile={take}
      />
      {value !== null && !readOnly && (
        <Button size="small" look="quiet" onClick={() => onChange(null)}>
          {t('Remove logo')}
        </Button>
      )}
    </div>
  )
}
