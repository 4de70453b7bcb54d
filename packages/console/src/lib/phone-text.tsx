import { usePhoneFormat } from './phone-format'

/** One number, formatted. Lists format all of theirs at once. */
export const PhoneText = ({ number }: { number: string }) => usePhoneFormat([number])(number)
