import { adjustedParts, type BrandTheme, listText, t } from '@switchroom/contract'
import { Field, useReadOnly } from '../../ui/field'

const COLOR = /^\s*#[0-9a-f]{6}\s*$/i
export const isColor = (color: string) => COLOR.test(color)

const PARTS = { buttons: t('buttons'), 'focus rings': t('focus rings'), links: t('links') }

/** Note on parts that are drawn in another shade, since the color itself could not be read or seen there. */
function adjustment(color: string, theme: BrandTheme) {
  const parts = adjustedParts(color.trim().toLowerCase(), theme)
  const list = listText(
    parts.map((part) => PARTS[part]),
    'conjunction',
  )
  if (theme === 'light')
    return list === ''
      ? t('Contrast is sufficient in the light theme.')
      : t('Too little contrast in the light theme: {list} use a darker shade.', { list })
  return list === ''
    ? t('Contrast is sufficient in the dark theme.')
    : t('Too little contrast in the dark theme: {list} use a lighter shade.', { list })
}

/** One color, as text and by the browser's own picker. */
export function ColorField({
  value,
  onChange,
  error,
}: {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}) {
  const readOnly = useReadOnly()
  const help = isColor(value)
    ? `${adjustment(value, 'light')} ${adjustment(value, 'dark')}`
    : t('For buttons, links, focus and the current page. As #1a4fd6.')
  return (
    <Field label={t('Color')} optional help={help} error={error}>
      {(control) => (
        <div className="input-group">
          <input
            {...control}
            className="input mono"
            spellCheck={false}
            autoComplete="off"
            maxLength={32}
            placeholder="#1a4fd6"
            readOnly={readOnly}
            value={value}
            onChange={(e) => onChange(e.target.value)}
          />
          <input
            type="color"
            aria-label={t('Pick a color')}
            disabled={readOnly}
            value={isColor(value) ? value.trim() : '#e0b040'}
            onChange={(e) => onChange(e.target.value)}
          />
        </div>
      )}
    </Field>
  )
}
