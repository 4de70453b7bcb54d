import { plural, t, USER_COLUMNS, USER_IMPORT_MAX_ROWS } from '@switchroom/contract'
import { ownAccount } from '../lib/access'
import { config } from '../lib/config'
import { ExportButton, ImportButton } from '../lib/csv-buttons'
import { users } from '../lib/endpoints'
import { useCurrentProvider } from '../lib/use-provider'
import { mayManageUser } from './may-manage'
import type { Search } from './queries'

const NOTE = t(
  'The scope is admin, service_provider or account. Exports contain no passwords: fill in that column before you import one.',
)

/** In the hosted variant an account could try names of other users. */
const mayImport = () => mayManageUser() && !(config.ENABLE_HOSTED_SYSTEM && ownAccount())

/** Exports the users as they are filtered, and imports users. */
export function UserCsv({ search: { filter, scope, account_sid } }: { search: Search }) {
  const service_provider_sid = useCurrentProvider()
  return (
    <>
      <ExportButton
        endpoint={users.export}
        sent={{ query: { service_provider_sid, filter, scope, account_sid } }}
        label={filter || scope || account_sid ? t('Export filtered') : t('Export all')}
      />
      {mayImport() && (
        <ImportButton
          endpoint={users.import}
          title={t('Import users')}
          imported={(n) => plural(n, 'Imported 1 user|Imported {n} users')}
          columns={USER_COLUMNS}
          query={{ service_provider_sid }}
          most={USER_IMPORT_MAX_ROWS}
          note={NOTE}
        />
      )}
    </>
  )
}
