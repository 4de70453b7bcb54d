import { numberText, type ScoreCardView, type ScoringState, t } from '@switchroom/contract'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { modelHref } from '../../applications/language-model/queries'
import { viewOf as applicationOf } from '../../applications/queries'
import { queryClient } from '../../lib/api'
import { useCrumb } from '../../lib/crumb'
import { scoreCards } from '../../lib/endpoints'
import { useFollowProvider } from '../../lib/follow-provider'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { type FormLike, formLike } from '../../lib/form-like'
import { INLINE } from '../../lib/inline'
import { PlainLink } from '../../lib/plain-link'
import { buttonClass } from '../../ui/button'
import { Fact, Facts } from '../../ui/facts'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { Columns, Section } from '../../ui/section'
import { Status } from '../../ui/status'
import { toastSuccess } from '../../ui/toast'
import { tryHref } from '../runs/run-href'
import { Criteria } from '../simulated-callers/criteria'
import type { CriterionRow } from '../simulated-callers/values'
import { ExpectationRows } from '../test-cases/expectation-rows'
import casesSheet from '../test-cases/test-cases.css?url'
import {
  type Values as CaseValues,
  expectationOf,
  NEW,
  valuesOf as rowsOf,
} from '../test-cases/values'
import { scoresHref, stateOf, viewOf } from './queries'

const route = getRouteApi('/internal/applications/$application_sid/score-card')

export const load = ({ application_sid }: { application_sid: string }) =>
  Promise.all([
    queryClient.ensureQueryData(applicationOf(application_sid)),
    queryClient.ensureQueryData(viewOf(application_sid)),
  ])

const valuesOf = ({ rules, criteria, ...card }: ScoreCardView) => ({
  is_active: card.is_active,
  goal: card.goal,
  share: card.share as number | null,
  calls_a_day: card.calls_a_day as number | null,
  tokens_a_day: card.tokens_a_day as number | null,
  pass_score: card.pass_score as number | null,
  expectations: rowsOf({ ...NEW, expectations: rules }).expectations,
  criteria: criteria.map((one, i): CriterionRow => ({ key: String(i), ...one })),
})
type Values = ReturnType<typeof valuesOf>

const toBody = ({ expectations, criteria, is_active, goal, ...numbers }: Values) => ({
  ...{ is_active, goal },
  // the schema refuses none, with an error on the field
  share: numbers.share as number,
  calls_a_day: numbers.calls_a_day as number,
  tokens_a_day: numbers.tokens_a_day as number,
  pass_score: numbers.pass_score as number,
  rules: expectations.map((row) => expectationOf({ ...row, within_ms: null })),
  criteria: criteria.map(({ name, description }) => ({ name, description })),
})

/** The score card of an application: by what its calls are scored. */
export function EditScoreCard() {
  const { application_sid } = route.useParams()
  const { data: application } = useSuspenseQuery(applicationOf(application_sid))
  useCrumb(application.name)
  useFollowProvider(application)
  const { data } = useSuspenseQuery(viewOf(application_sid))
  return (
    <>
      <PageHeader title={t('Score card')}>
        <PlainLink href={scoresHref(application_sid)} className={buttonClass()}>
          {t('Call scores')}
        </PlainLink>
      </PageHeader>
      {application.account_sid === null ? (
        <Notice tone="warn">
          {t('This application belongs to no account, and only calls of accounts are scored.')}
        </Notice>
      ) : (
        <Edit key={application_sid} card={data} account_sid={application.account_sid} />
      )}
    </>
  )
}

function Edit({ card, account_sid }: { card: ScoreCardView; account_sid: string }) {
  const { application_sid, version } = card
  const form = useApiForm({
    endpoint: scoreCards.update,
    defaultValues: valuesOf(card),
    edits: { version, valuesOf: (view: ScoreCardView) => valuesOf(view) },
    // rules are rows of expectations here
    fieldFor: ([list, ...path]) => [list === 'rules' ? 'expectations' : list!, ...path],
    toSend: (v) => ({ params: { application_sid }, body: toBody(v) }),
    onDone: () => toastSuccess(t('Score card updated successfully')),
  })
  return (
    <Form
      form={form}
      cancelHref={tryHref(application_sid)}
      aside={<State application_sid={application_sid} account_sid={account_sid} />}
    >
      <Fields form={formLike(form)} />
    </Form>
  )
}

const Fields = ({ form }: { form: FormLike<Values> }) => (
  <>
    <link rel="stylesheet" href={casesSheet} precedence="page" />
    <Section
      title={t('Scored calls')}
      about={t(
        'Calls that ended after you turn this on, some minutes after their end. With criteria, their words are sent to the language model of the account, and whoever runs it charges for it.',
      )}
    >
      <form.Checkbox name="is_active" label={t('Score calls of this application')} />
      <Columns>
        <form.NumberField name="share" label={t('Share of calls (%)')} min={1} />
        <form.NumberField name="calls_a_day" label={t('Calls per day')} min={1} />
        <form.NumberField name="tokens_a_day" label={t('Tokens per day')} min={1_000} />
      </Columns>
    </Section>
    <ExpectationRows
      // the parts of a test case know of no more than a test case has
      form={form as unknown as FormLike<CaseValues>}
      isRules
      about={t(
        'What the application must do in each call, in any order. They need no language model. Traces have only the beginning of what the application says: where that is not enough, the result is “Not certain”, unless the recording was transcribed.',
      )}
    />
    <Criteria form={form as unknown as FormLike<Pick<Values, 'criteria'>>}>
      <form.TextArea name="goal" label={t('What callers want')} rows={2} optional />
      <form.NumberField
        name="pass_score"
        label={t('Passing score')}
        min={1}
        help={t('A call passes if it meets all rules, and each score is at least this.')}
      />
    </Criteria>
  </>
)

const STATES: Record<ScoringState['state'], { tone: 'ok' | 'off' | 'warn'; text: string }> = {
  on: { tone: 'ok', text: t('Calls are scored') },
  off: { tone: 'off', text: t('Off') },
  no_words: { tone: 'warn', text: t('The account keeps no words of its calls') },
  no_model: { tone: 'warn', text: t('The account has no language model yet') },
  paused: { tone: 'warn', text: t('Paused for an hour: the language model failed') },
  spent: { tone: 'warn', text: t('The budget of today is used up') },
}

function State({ application_sid, account_sid }: { application_sid: string; account_sid: string }) {
  const { data } = useQuery({ ...stateOf(application_sid), ...INLINE })
  if (!data) return null
  const { tone, text } = STATES[data.state]
  return (
    <Facts>
      <Fact name={t('Status')}>
        <Status tone={tone}>{text}</Status>
      </Fact>
      <Fact name={t('Calls today (UTC)')}>{numberText(data.calls_today)}</Fact>
      <Fact name={t('Tokens today (UTC)')}>{numberText(data.tokens_today)}</Fact>
      <Fact name={t('Waiting')}>{numberText(data.waiting)}</Fact>
      <Fact name={t('Language model')}>
        <PlainLink href={modelHref(account_sid)}>
          {data.has_model ? t('Set') : t('Set a language model')}
        </PlainLink>
      </Fact>
    </Facts>
  )
}
