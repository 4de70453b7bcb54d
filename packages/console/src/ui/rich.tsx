import { partsOf, translated } from '@switchroom/contract'
import { Fragment, type ReactNode } from 'react'

/** A message with elements in it: `rich('Read {link} first', { link: <Link …>{t('the guide')}</Link> })`. */
export const rich = (message: string, values: Record<string, ReactNode>) =>
  partsOf(translated(message)).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message stay where they are
    <Fragment key={i}>{i % 2 === 1 ? values[part] : part}</Fragment>
  ))
