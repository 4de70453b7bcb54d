import { type TestCaseItem, t } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { mayWrite } from '../../lib/access'
import { send } from '../../lib/api'
import { testCases } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { LoadError } from '../../lib/load-error'
import { Block } from '../../ui/block'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { DeleteTestCase } from './delete'
import { listOf } from './queries'
import { countResults, countTexts, endText, RESULTS, resultOf } from './results'
import { RunFromScript } from './run-from-script'
import sheet from './section.css?url'
import { TestCaseTable } from './table'

const POLL_MS = 1_000

const isRunning = (one: TestCaseItem) => resultOf(one) === 'running'

/** The test cases of an application, to be run and watched. */
export function TestCases({ application_sid }: { application_sid: string }) {
  const list = useQuery({
    ...listOf(application_sid),
    refetchInterval: ({ state }) => (state.data?.data.some(isRunning) ? POLL_MS : false),
  })
  const [deleting, setDeleting] = useState<TestCaseItem>()
  const params = { application_sid }
  const run = useMutation({
    mutationFn: (test_case_sid: string | undefined) =>
      test_case_sid
        ? send(testCases.run, { params: { ...params, test_case_sid } })
        : send(testCases.runAll, { params }),
  })
  const cases = list.data?.data
  const isBusy = run.isPending || (cases?.some(isRunning) ?? false)
  return (
    <Block
      title={t('Test cases')}
      action={
        mayWrite() &&
        cases &&
        cases.length > 0 && (
          <Button size="small" busy={isBusy} onClick={() => run.mutate(undefined)}>
            <Play aria-hidden />
            {isBusy ? t('Running…') : t('Run all')}
          </Button>
        )
      }
    >
      <link rel="stylesheet" href={sheet} precedence="page" />
      {run.error && <Notice tone="bad">{messageOf(run.error)}</Notice>}
      {cases ? (
        <>
          <Progress cases={cases} />
          {cases.length === 0 ? (
            <p className="block-empty">
              {mayWrite()
                ? t(
                    'No test cases yet. Call the application, then open the run and choose “Save as a test case”: it can be run again after every change to the application.',
                  )
                : t('No test cases.')}
            </p>
          ) : (
            <TestCaseTable
              cases={cases}
              onRun={({ test_case_sid }) => run.mutate(test_case_sid)}
              onDelete={setDeleting}
            />
          )}
        </>
      ) : list.error ? (
        <LoadError error={list.error} retry={list.refetch} />
      ) : (
        <LoadingState text={t('Loading the test cases')} />
      )}
      {mayWrite() && cases && cases.length > 0 && (
        <RunFromScript application_sid={application_sid} />
      )}
      {deleting && <DeleteTestCase testCase={deleting} onClose={() => setDeleting(undefined)} />}
    </Block>
  )
}

/** Number of test cases passed so far. The end is announced. */
function Progress({ cases }: { cases: readonly TestCaseItem[] }) {
  const count = countResults(cases)
  const wasRunning = useRef(count.running > 0)
  const [announced, setAnnounced] = useState('')
  const isRunning = count.running > 0
  const end = endText(count)
  useEffect(() => {
    if (wasRunning.current !== isRunning) setAnnounced(isRunning ? '' : end)
    wasRunning.current = isRunning
  }, [isRunning, end])
  return (
    <>
      {count.never < count.total && (
        <p className="case-count numbers">
          {countTexts(count).map(({ result, text }) => (
            <Status key={result} tone={RESULTS[result].tone}>
              {text}
            </Status>
          ))}
        </p>
      )}
      <p className="visually-hidden" role="status">
        {announced}
      </p>
    </>
  )
}
