import type { ComponentProps } from 'react'

/** An icon of one path. The build makes those of the icon library such ones (icons-plugin.ts). */
export const drawnIcon = (path: string) => (props: ComponentProps<'svg'>) => (
  <svg
    width={24}
    height={24}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
    {...props}
  >
    <path d={path} />
  </svg>
)
