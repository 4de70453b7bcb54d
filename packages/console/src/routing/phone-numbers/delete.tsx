import { type PhoneNumber, t } from '@switchroom/contract'
import { type DeleteCallbacks, DeleteDialog } from '../../lib/delete-dialog'
import { phoneNumbers } from '../../lib/endpoints'
import { usePhoneFormat } from '../../lib/phone-format'

export function DeletePhoneNumber({
  number,
  ...rest
}: {
  number: PhoneNumber
} & DeleteCallbacks) {
  const text = usePhoneFormat([number.number])(number.number)
  return (
    <DeleteDialog
      endpoint={phoneNumbers.remove}
      sent={{ params: { phone_number_sid: number.phone_number_sid } }}
      title={t('Delete phone number')}
      question={t('Are you sure you want to delete the phone number {text}?', { text })}
      done={t('Deleted phone number {text}', { text })}
      {...rest}
    />
  )
}
