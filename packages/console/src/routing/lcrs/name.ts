import { type Lcr, t } from '@switchroom/contract'

/** What a table without a name is called. */
export const nameOf = ({ name }: Pick<Lcr, 'name'>) => name || t('Unnamed routing table')
