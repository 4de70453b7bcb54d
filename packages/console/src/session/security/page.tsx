import { t } from '@switchroom/contract'
import { atLeast } from '../../lib/access'
import { queryClient } from '../../lib/api'
import { ownFactorQuery } from '../../lib/proof/own-factor'
import { PageHeader } from '../../ui/page-header'
import { OwnSessions } from '../../users/sessions'
import { Programs } from '../programs/programs'
import { SecondFactorSections } from './second-factor'

export const load = () => queryClient.ensureQueryData(ownFactorQuery())

/** How one's own log-in is protected. View-only users manage theirs too. */
export function Security() {
  return (
    <>
      <PageHeader title={t('Security')} />
      <div className="form-more">
        <SecondFactorSections />
        <OwnSessions />
        {atLeast('admin') && <Programs />}
      </div>
    </>
  )
}
