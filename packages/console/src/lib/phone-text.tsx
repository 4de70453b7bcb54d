import { usePhoneFormat } from './phone-format'

/** One formatted number. Lists format all of theirs together. */
export const PhoneText = ({ number }: { number: string }) => usePhoneFormat([number])(number)
