import { type TestCase, t } from '@switchroom/contract'
import { type DeleteCallbacks, DeleteDialog } from '../../lib/delete-dialog'
import { testCases } from '../../lib/endpoints'

export const DeleteTestCase = ({
  testCase: { application_sid, test_case_sid, name },
  ...rest
}: {
  testCase: Pick<TestCase, 'application_sid' | 'test_case_sid' | 'name'>
} & DeleteCallbacks) => (
  <DeleteDialog
    endpoint={testCases.remove}
    sent={{ params: { application_sid, test_case_sid } }}
    title={t('Delete test case')}
    question={t('Are you sure you want to delete the test case {name}?', { name })}
    done={t('Deleted test case {name}', { name })}
    {...rest}
  />
)
