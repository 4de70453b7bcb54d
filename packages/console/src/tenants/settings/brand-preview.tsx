import { type BrandTheme, brandShades, t } from '@switchroom/contract'
import type { CSSProperties } from 'react'
import { Mark } from '../../ui/mark'
import { Columns } from '../../ui/section'

/** Style that draws the preview in the shades of a color, in place of the current ones. */
function shadesOf(color: string | undefined, theme: BrandTheme): CSSProperties {
  if (color === undefined) return {}
  const { fill, hover, on, line, text, tint } = brandShades(color, theme)
  return {
    ...{ '--brass': fill, '--brass-hover': hover, '--on-brass': on },
    ...{ '--brass-line': line, '--brass-text': text, '--brass-tint': tint },
  } as CSSProperties
}

const frame: CSSProperties = {
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'flex-start',
  gap: 12,
  minWidth: 0,
  padding: 16,
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius)',
  background: 'var(--ground)',
  color: 'var(--text)',
}

type Props = { name: string; color: string | undefined }

/** The brand in both themes, before it is saved. */
export const BrandPreview = ({
  light,
  dark,
  ...brand
}: Props & { light: string | null; dark: string | null }) => (
  <Columns>
    <Preview {...brand} theme="light" logo={light} />
    <Preview {...brand} theme="dark" logo={dark} />
  </Columns>
)

function Preview({ name, color, theme, logo }: Props & { theme: BrandTheme; logo: string | null }) {
  return (
    <figure
      data-theme={theme}
      style={{ ...frame, ...shadesOf(color, theme) }}
      aria-label={
        theme === 'light' ? t('Preview in the light theme') : t('Preview in the dark theme')
      }
    >
      <span className="sidebar-brand" style={{ maxWidth: '100%', padding: 0 }}>
        {logo ? (
          <img className="logo" src={logo} alt={name} />
        ) : (
          <>
            <Mark size={22} />
            <span>{name}</span>
          </>
        )}
      </span>
      <span className="button button-primary">{t('Save')}</span>
      <span style={{ color: 'var(--brass-text)' }}>{t('Chosen option')}</span>
      <span
        className="input"
        style={{
          display: 'flex',
          alignItems: 'center',
          outline: '2px solid var(--brass-line)',
          outlineOffset: 2,
        }}
      >
        {t('Focused field')}
      </span>
    </figure>
  )
}
