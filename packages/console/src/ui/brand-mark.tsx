import { useBrand, useProductName } from './brand'
import { Mark } from './mark'
import { useTheme } from './theme'

/** The logo of the brand for the theme on screen; without one, the product's mark and the name. */
export function BrandMark({ size }: { size: number }) {
  const { logo_light, logo_dark } = useBrand() ?? {}
  const name = useProductName()
  const theme = useTheme()
  if (!logo_light && !logo_dark)
    return (
      <>
        <Mark size={size} />
        <span>{name}</span>
      </>
    )
  const light = logo_light ?? logo_dark ?? ''
  const dark = logo_dark ?? logo_light ?? ''
  return (
    <picture>
      {theme === 'system' && <source media="(prefers-color-scheme: dark)" srcSet={dark} />}
      <img className="logo" src={theme === 'dark' ? dark : light} alt={name} />
    </picture>
  )
}
