import { type RunView, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { mayWrite } from '../../lib/access'
import { statusOf } from '../../lib/failure'
import { INLINE } from '../../lib/inline'
import { PlainLink } from '../../lib/plain-link'
import { buttonClass } from '../../ui/button'
import { saveHref, testCaseHref, viewOf } from './queries'

type Props = { run: Pick<RunView, 'application_sid' | 'run_sid' | 'test_case_sid'> }

/** Leads from a run that has ended to the form of its test case: the one it was played for, or a new one. */
export const SaveAsTestCase = ({ run: { test_case_sid, ...run } }: Props) =>
  test_case_sid ? <OfTestCase {...run} test_case_sid={test_case_sid} /> : <Save {...run} />

function OfTestCase({
  application_sid,
  run_sid,
  test_case_sid,
}: {
  application_sid: string
  run_sid: string
  test_case_sid: string
}) {
  const params = { application_sid, test_case_sid }
  const { error } = useQuery({ ...viewOf(params), ...INLINE })
  // it may have been deleted since
  return statusOf(error) === 404 ? (
    <Save application_sid={application_sid} run_sid={run_sid} />
  ) : (
    <PlainLink href={testCaseHref(params)} className={buttonClass()}>
      <Bookmark aria-hidden />
      {mayWrite() ? t('Edit test case') : t('Test case')}
    </PlainLink>
  )
}

const Save = ({ application_sid, run_sid }: { application_sid: string; run_sid: string }) =>
  mayWrite() && (
    <PlainLink href={saveHref(application_sid, run_sid)} className={buttonClass()}>
      <Bookmark aria-hidden />
      {t('Save as a test case')}
    </PlainLink>
  )
