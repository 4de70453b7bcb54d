import { type Call, t } from '@switchroom/contract'

/** From whom to whom: the title of a call. */
export const titleOf = ({ from, to }: Pick<Call, 'from' | 'to'>, format: (n: string) => string) =>
  `${from ? format(from) : t('Unknown')} → ${to ? format(to) : t('unknown')}`
