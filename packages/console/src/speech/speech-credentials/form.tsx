import {
  type GoogleCustomVoice,
  type SpeechCredentialView,
  t,
  type Vendor,
  vendorOf,
} from '@switchroom/contract'
import { useStore } from '@tanstack/react-form'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { mayWrite, ownAccount } from '../../lib/access'
import { query } from '../../lib/api'
import { DeleteZone } from '../../lib/delete-zone'
import { googleCustomVoices } from '../../lib/endpoints'
import type { Created } from '../../lib/failure'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { formLike } from '../../lib/form-like'
import { EditHead } from '../../lib/thing-head'
import { useCurrentProvider } from '../../lib/use-provider'
import { Fact, Facts } from '../../ui/facts'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { rich } from '../../ui/rich'
import { Sid } from '../../ui/sid'
import { Time } from '../../ui/time'
import { toastError, toastSuccess } from '../../ui/toast'
import { DeleteSpeechCredential } from './delete'
import { Fields } from './fields'
import { testNew } from './first-test'
import { LiveTests } from './live-tests'
import { check, createBody, fieldFor, updateBody } from './payload'
import { createCredential, updateCredential } from './save'
import { mayChange, useSpeechApi } from './speech-api'
import { StatusBox } from './status'
import { blankValues, type SpeechValues, valuesOf } from './values'
import { serviceName, vendorName } from './vendor-name'
import { vendorOfId } from './vendor-of-id'
import { viewOf } from './view'

const LIST = '/internal/speech-services'
export const route = getRouteApi('/internal/speech-services/$speech_credential_sid/edit')

const DENIED = t('You do not have permissions to make changes to these Speech Credentials')

const voicesOf = (speech_credential_sid: string) =>
  query(googleCustomVoices.list, { query: { speech_credential_sid } })

/** The custom voices to be stored. */
const voicesToStore = (values: SpeechValues) => {
  const settings = values.settings[values.vendor]
  return vendorOfId(values.vendor)?.customVoices &&
    settings?.use_for_tts &&
    settings.use_custom_voices
    ? settings.voices
    : []
}

export function NewSpeechCredential() {
  const navigate = useNavigate()
  const provider = useCurrentProvider()
  const api = useSpeechApi()
  const { credentials, owner } = api
  const [defaultValues] = useState(() => blankValues(ownAccount() ?? ''))
  const form = useApiForm({
    endpoint: credentials.create,
    defaultValues,
    check: (v) => check(v),
    fieldFor,
    forbidden: DENIED,
    toSend: (v) => ({ params: owner, body: createBody(v, provider) }),
    save: (sent, v): Promise<Created> => createCredential(credentials, sent, voicesToStore(v)),
    onDone: ({ sid, unsaved }: Created, { account_sid }) => {
      if (unsaved) {
        toastError(unsaved)
        return navigate({
          to: `${LIST}/$speech_credential_sid/edit`,
          params: { speech_credential_sid: sid },
        })
      }
      toastSuccess(t('Speech credential created successfully'))
      void testNew(api, sid)
      const search = account_sid && !ownAccount() ? { account_sid } : {}
      return navigate({ to: LIST, search })
    },
  })
  return (
    <>
      <PageHeader title={t('Add a speech service')} />
      <Form form={form} isNew cancelHref={LIST}>
        <Fields form={formLike(form)} />
      </Form>
    </>
  )
}

export function EditSpeechCredential() {
  const { speech_credential_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(useSpeechApi(), speech_credential_sid))
  const vendor = vendorOf(data.vendor)
  if (!vendor) return <UnknownVendor row={data} />
  return vendor.customVoices ? (
    <EditWithVoices key={speech_credential_sid} row={data} vendor={vendor} />
  ) : (
    <Edit key={speech_credential_sid} row={data} vendor={vendor} voices={NONE} />
  )
}

const NONE: GoogleCustomVoice[] = []

function EditWithVoices({ row, vendor }: { row: SpeechCredentialView; vendor: Vendor }) {
  const { data } = useSuspenseQuery(voicesOf(row.speech_credential_sid))
  return <Edit row={row} vendor={vendor} voices={data} />
}

export function Edit({
  row,
  vendor,
  voices,
}: {
  row: SpeechCredentialView
  vendor: Vendor
  voices: GoogleCustomVoice[]
}) {
  const { credentials, owner } = useSpeechApi()
  const { speech_credential_sid, version } = row
  // reset secret fields and test results, which belong to the credential before it was saved
  const [saves, setSaves] = useState(0)
  const form = useApiForm({
    endpoint: credentials.update,
    defaultValues: valuesOf(vendor, row, voices),
    edits: {
      version,
      valuesOf: (view: SpeechCredentialView) => valuesOf(vendor, view, voices),
    },
    check: (v) => check(v, row),
    fieldFor,
    forbidden: DENIED,
    toSend: (v) => ({ params: { ...owner, speech_credential_sid }, body: updateBody(v, row) }),
    save: (sent, v) => updateCredential(credentials, sent, voicesToStore(v), voices),
    onDone: () => {
      setSaves(saves + 1)
      toastSuccess(t('Speech credential updated successfully'))
    },
  })
  const dirty = useStore(form.store, (s) => !s.isDefaultValue)
  return (
    <>
      <Head row={row} />
      <Form
        form={form}
        cancelHref={LIST}
        readOnly={!mayChange(row)}
        aside={
          <>
            <StatusBox key={saves} row={row} dirty={dirty} atOnce={saves > 0} />
            <About row={row} />
          </>
        }
      >
        {row.unreadable && (
          <Notice tone="warn">
            {t('The stored credential can no longer be decrypted. Enter it again.')}
          </Notice>
        )}
        <Fields key={saves} form={formLike(form)} stored={row} />
      </Form>
      <LiveTests row={row} vendor={vendor} dirty={dirty} />
      <Danger row={row} />
    </>
  )
}

const Head = ({ row }: { row: SpeechCredentialView }) => (
  <EditHead
    kind="speech_credential"
    sid={row.speech_credential_sid}
    name={serviceName(row)}
    owner={row}
    title={t('Edit speech service')}
  />
)

const About = ({ row }: { row: SpeechCredentialView }) => (
  <Facts>
    <Fact name={t('Speech service SID')}>
      <Sid sid={row.speech_credential_sid} />
    </Fact>
    <Fact name={t('Created')}>
      <Time at={row.created_at} none={t('Unknown')} />
    </Fact>
    <Fact name={t('Last used')}>
      <Time at={row.last_used} />
    </Fact>
  </Facts>
)

const Danger = ({ row }: { row: SpeechCredentialView }) =>
  mayWrite() &&
  mayChange(row) && (
    <DeleteZone
      title={t('Delete speech service')}
      next={LIST}
      dialog={(callbacks) => <DeleteSpeechCredential credential={row} {...callbacks} />}
    >
      {t('Applications that use it will no longer be able to speak or listen.')}
    </DeleteZone>
  )

/** A credential of a vendor unknown to this version: it can only be viewed and deleted. */
const UnknownVendor = ({ row }: { row: SpeechCredentialView }) => (
  <>
    <Head row={row} />
    <Notice tone="warn">
      {rich('This console does not support the vendor {vendor} and cannot show its settings.', {
        vendor: vendorName(row.vendor),
      })}
    </Notice>
    <About row={row} />
    <Danger row={row} />
  </>
)
