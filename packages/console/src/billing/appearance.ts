import type { Appearance } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'
import { useTheme } from '../ui/theme'

/** Stripe's frame knows neither our CSS variables nor OKLCH. */
function color(token: string): string {
  const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const span = document.createElement('span')
  span.style.color = `var(${token})`
  document.body.append(span)
  const computed = getComputedStyle(span).color
  span.remove()
  if (!probe) return computed
  probe.fillStyle = computed
  probe.fillRect(0, 0, 1, 1)
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data
  return `rgb(${r}, ${g}, ${b})`
}

const read = (): Appearance => ({
  theme: 'flat',
  labels: 'above',
  variables: {
    fontFamily: 'Inter, system-ui, sans-serif',
    fontSizeBase: '14px',
    borderRadius: '6px',
    colorPrimary: color('--brass-line'),
    colorBackground: color('--surface'),
    colorText: color('--text'),
    colorTextSecondary: color('--text-2'),
    colorTextPlaceholder: color('--text-3'),
    colorDanger: color('--bad'),
  },
  rules: {
    '.Input': { border: `1px solid ${color('--line-input')}`, padding: '9px 10px' },
    '.Input--invalid': { border: `1px solid ${color('--bad')}` },
    '.Input:focus': { outline: `2px solid ${color('--brass-line')}`, outlineOffset: '-1px' },
  },
})

const DARK = matchMedia('(prefers-color-scheme: dark)')

/** Makes the fields in Stripe's frame look like ours, in either theme. */
export function useAppearance(): Appearance {
  const theme = useTheme()
  const [appearance, setAppearance] = useState(read)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors are the theme's
  useEffect(() => {
    const again = () => setAppearance(read)
    again()
    DARK.addEventListener('change', again)
    return () => DARK.removeEventListener('change', again)
  }, [theme])
  return appearance
}
