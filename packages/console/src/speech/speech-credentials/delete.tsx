import { type SpeechCredential, t } from '@switchroom/contract'
import { type DeleteCallbacks, DeleteDialog } from '../../lib/delete-dialog'
import { useSpeechApi } from './speech-api'
import { vendorName } from './vendor-name'

/** "Vendor (label)", for messages. */
const nameOf = ({ vendor, label }: SpeechCredential) =>
  label ? `${vendorName(vendor)} (${label})` : vendorName(vendor)

export function DeleteSpeechCredential({
  credential,
  ...rest
}: {
  credential: SpeechCredential
} & DeleteCallbacks) {
  const { credentials, owner } = useSpeechApi()
  const name = nameOf(credential)
  return (
    <DeleteDialog
      endpoint={credentials.remove}
      sent={{
        params: { ...owner, speech_credential_sid: credential.speech_credential_sid },
      }}
      used={{ kind: 'speech_credential', sid: credential.speech_credential_sid }}
      title={t('Delete speech service')}
      question={t('Are you sure you want to delete the {name} speech service?', { name })}
      done={t('Deleted speech service {name}', { name })}
      forbidden={t('You do not have permissions to delete these Speech Credentials')}
      {...rest}
    />
  )
}
