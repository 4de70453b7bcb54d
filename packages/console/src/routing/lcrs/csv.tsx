import { type LcrView, plural, ROUTE_COLUMNS, t } from '@switchroom/contract'
import { mayWrite } from '../../lib/access'
import { ExportButton, ImportButton } from '../../lib/csv-buttons'
import { lcrs } from '../../lib/endpoints'

const NOTE = t(
  'An import adds routes to this table and leaves existing ones unchanged. Routes without a priority come last. A route with several carriers has a line for each. The default route is not in the file.',
)

/** Exports the routes of a table, and adds routes to it. */
export function RouteCsv({ table: { lcr_sid, default_carrier } }: { table: LcrView }) {
  const params = { lcr_sid }
  return (
    <div className="route-csv">
      <ExportButton endpoint={lcrs.exportRoutes} sent={{ params }} size="small" />
      {mayWrite() && default_carrier && (
        <ImportButton
          endpoint={lcrs.importRoutes}
          size="small"
          title={t('Import routes')}
          imported={(n) => plural(n, 'Imported 1 row of routes|Imported {n} rows of routes')}
          columns={ROUTE_COLUMNS}
          params={params}
          note={NOTE}
        />
      )}
    </div>
  )
}
