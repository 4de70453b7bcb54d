import {
  type FigureSplit,
  type TranscriptSettings,
  t,
  WORDS_KEPT,
  type WordsKept,
} from '@switchroom/contract'
import { useStore } from '@tanstack/react-form'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { queryClient } from '../../lib/api'
import { transcriptSettings } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { thingHref } from '../../lib/thing-href'
import { serviceName } from '../../speech/speech-credentials/vendor-name'
import * as accounts from '../../tenants/accounts/queries'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { Section } from '../../ui/section'
import { toastSuccess } from '../../ui/toast'
import { servicesOf, viewOf } from './queries'

export const route = getRouteApi('/internal/accounts/$account_sid/transcripts')

export const load = ({ account_sid }: { account_sid: string }) =>
  Promise.all([
    queryClient.ensureQueryData(viewOf(account_sid)),
    queryClient.ensureQueryData(servicesOf(account_sid)),
    queryClient.ensureQueryData(accounts.viewOf(account_sid)),
  ])

const NAMES: Record<WordsKept, string> = {
  keep: t('Keep everything'),
  mask: t('Mask digits and email addresses'),
  leave_out: t('Leave out all words'),
}
const MEANINGS: Record<WordsKept, string> = {
  keep: t('All words and pressed keys are stored and shown.'),
  mask: t(
    'Words stay. Each digit that was said or pressed becomes •, and each email address becomes •••.',
  ),
  leave_out: t(
    'Neither words nor keys are stored or shown. Who spoke, when, how well it was recognized, and all times and figures stay.',
  ),
}
const CHOICES = WORDS_KEPT.map((value) => ({ value, label: NAMES[value] }))
const MINUTES = 60
const SOURCES = [
  { value: '', label: t('Not split') },
  { value: 'variable', label: t('Environment variable') },
  { value: 'tag', label: t('Tag') },
] as const
const NAME_HELP: Record<FigureSplit['source'], string> = {
  variable: t(
    'An environment variable of the applications, such as VERSION. Everybody who sees the figures sees its values. Secrets are refused and never counted.',
  ),
  tag: t(
    'A member of the data that the tag verb sets, such as version. Everybody who sees the figures sees its values.',
  ),
}

type Values = {
  words: WordsKept
  transcribes: boolean
  automatic: { speech_credential_sid: string; language: string; minutes_a_day: number | null }
  split: { source: FigureSplit['source'] | ''; name: string }
}

const valuesOf = ({ words, automatic, split }: TranscriptSettings): Values => ({
  words,
  transcribes: automatic !== null,
  automatic: {
    speech_credential_sid: automatic?.speech_credential_sid ?? '',
    language: automatic?.language ?? '',
    minutes_a_day: automatic?.minutes_a_day ?? MINUTES,
  },
  split: { source: split?.source ?? '', name: split?.name ?? '' },
})

/** Transcript settings of an account. */
export function EditTranscripts() {
  const { account_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(account_sid))
  return <Edit key={account_sid} account_sid={account_sid} settings={data} />
}

export function Edit({
  account_sid,
  settings,
}: {
  account_sid: string
  settings: TranscriptSettings & { version?: string | undefined }
}) {
  const navigate = useNavigate()
  const { data: account } = useSuspenseQuery(accounts.viewOf(account_sid))
  const { data: services } = useSuspenseQuery(servicesOf(account_sid))
  const overview = thingHref('account', account_sid)
  const form = useApiForm({
    endpoint: transcriptSettings.update,
    defaultValues: valuesOf(settings),
    edits: { version: settings.version, valuesOf },
    toSend: ({ words, transcribes, automatic, split: { source, name } }) => ({
      params: { account_sid },
      body: {
        words,
        automatic:
          transcribes && words !== 'leave_out'
            ? {
                speech_credential_sid: automatic.speech_credential_sid,
                language: automatic.language || null,
                // the schema refuses none, with an error on the field
                minutes_a_day: automatic.minutes_a_day as number,
              }
            : null,
        split: source ? { source, name } : null,
      },
    }),
    onDone: () => {
      toastSuccess(t('Transcript settings updated'))
      return navigate({ to: overview })
    },
  })
  const words = useStore(form.store, (s) => s.values.words)
  const transcribes = useStore(form.store, (s) => s.values.transcribes)
  const source = useStore(form.store, (s) => s.values.split.source)
  const usable = services.data.filter(({ use_for_stt }) => use_for_stt === 1)
  return (
    <>
      <PageHeader title={t('Transcripts of {name}', { name: account.name })} />
      <Form form={form} cancelHref={overview}>
        <Section
          title={t('Words of calls')}
          about={t(
            'Applies to new calls. Earlier calls are shown the same way while this is set, but their words are deleted only when they expire. Calls made while words were masked or left out stay that way, whatever you choose later.',
          )}
        >
          <form.RadioField
            name="words"
            label={t('What was said and pressed')}
            options={CHOICES}
            help={MEANINGS[words]}
          />
          <Notice tone="info">
            {t(
              'Numbers that a recognizer writes as words, such as “four two”, are not masked. Recordings are not changed. If traces are kept in Jaeger, the words stay there and are only hidden here.',
            )}
          </Notice>
        </Section>
        <Section title={t('Automatic transcription')}>
          {words === 'leave_out' ? (
            <p>{t('Recordings cannot be transcribed while words are left out')}</p>
          ) : (
            <form.Checkbox
              name="transcribes"
              label={t('Transcribe each recording when its call is over')}
              help={t(
                'Both sides are sent to a speech service of the account, which charges for it.',
              )}
            />
          )}
          {words !== 'leave_out' && transcribes && (
            <>
              <form.SelectField
                name="automatic.speech_credential_sid"
                label={t('Speech service')}
                options={[
                  { value: '', label: t('Choose a speech service') },
                  ...usable.map((service) => ({
                    value: service.speech_credential_sid,
                    label: serviceName(service),
                  })),
                ]}
              />
              <form.TextField
                name="automatic.language"
                label={t('Language')}
                optional
                placeholder="en-US"
                help={t(
                  'The code of the language that is spoken. Empty for the default of the service.',
                )}
              />
              <form.NumberField
                name="automatic.minutes_a_day"
                label={t('Minutes a day')}
                min={1}
                help={t(
                  'Minutes of speech, both sides added up. Further recordings of the day are not transcribed.',
                )}
              />
            </>
          )}
        </Section>
        <Section
          title={t('Versions')}
          about={t(
            'Splits the figures of Voice insights by version of an application. Applies to new calls. Up to 50 versions of an application are told apart per day.',
          )}
        >
          <form.SelectField name="split.source" label={t('Split figures by')} options={SOURCES} />
          {source && (
            <form.TextField name="split.name" label={t('Name')} help={NAME_HELP[source]} />
          )}
        </Section>
      </Form>
    </>
  )
}
