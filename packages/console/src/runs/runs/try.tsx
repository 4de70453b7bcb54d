import { t } from '@switchroom/contract'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { viewOf as applicationOf } from '../../applications/queries'
import { mayWrite } from '../../lib/access'
import { useCrumb } from '../../lib/crumb'
import { useFollowProvider } from '../../lib/follow-provider'
import { INLINE } from '../../lib/inline'
import { PlainLink } from '../../lib/plain-link'
import { useUses } from '../../lib/uses-block'
import { Block } from '../../ui/block'
import { buttonClass } from '../../ui/button'
import { PageHeader } from '../../ui/page-header'
import { Skeleton } from '../../ui/states'
import { scoreCardHref } from '../scores/queries'
import { SimulatedCallers } from '../simulated-callers/section'
import { TestCases } from '../test-cases/section'
import { KeptRuns } from './kept-runs'
import { latestOf } from './queries'
import { suitesHref } from './run-href'
import { StartForm } from './start-form'
import { startValues } from './start-values'
import sheet from './try.css?url'

const route = getRouteApi('/internal/applications/$application_sid/try')

/** Calls an application without a telephone, and lists the calls that were. */
export function Try() {
  const { application_sid } = route.useParams()
  const search = route.useSearch()
  const { data: application } = useSuspenseQuery(applicationOf(application_sid))
  useCrumb(application.name)
  useFollowProvider(application)
  return (
    <>
      {/* other screens need none of it */}
      <link rel="stylesheet" href={sheet} precedence="page" />
      <PageHeader title={t('Try it')}>
        <PlainLink href={scoreCardHref(application_sid)} className={buttonClass()}>
          {t('Score card')}
        </PlainLink>
        <PlainLink href={suitesHref(application_sid)} className={buttonClass()}>
          {t('Calls played again')}
        </PlainLink>
      </PageHeader>
      {mayWrite() && (
        <Block title={t('Call without a telephone')}>
          <Start key={application_sid} application_sid={application_sid} />
        </Block>
      )}
      <div className="try-cases">
        <TestCases key={application_sid} application_sid={application_sid} />
      </div>
      <div className="try-cases">
        <SimulatedCallers key={application_sid} application_sid={application_sid} />
      </div>
      <section className="try-runs" aria-labelledby="try-runs">
        <h2 id="try-runs">{t('Runs')}</h2>
        <KeptRuns application_sid={application_sid} search={search} />
      </section>
    </>
  )
}

/** The form, once its initial values have loaded. */
function Start({ application_sid }: { application_sid: string }) {
  const { data: application } = useSuspenseQuery(applicationOf(application_sid))
  const latest = useQuery({ ...latestOf({ application_sid }), ...INLINE })
  const uses = useUses('application', application_sid)
  if (latest.isLoading || uses.isLoading) return <Skeleton height={180} />
  const number = uses.data?.find(({ of }) => of === 'phone_number')?.items[0]?.name
  return (
    <StartForm
      application={application}
      initial={startValues(latest.data?.data[0]?.start, number)}
    />
  )
}
