import { type Lcr, t } from '@switchroom/contract'

/** Name of a routing table, or a placeholder. */
export const nameOf = ({ name }: Pick<Lcr, 'name'>) => name || t('Unnamed routing table')
