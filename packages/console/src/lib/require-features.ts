import { t } from '@switchroom/contract'
import { refusePage } from './access'
import { capabilities } from './capabilities'

/** Keeps people from pages of what another API server does not have, also at their addresses. */
export async function requireFeatures() {
  if (!(await capabilities())) refusePage(t('This server does not offer this.'))
}
