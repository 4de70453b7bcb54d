import { Text } from '../wire/common.ts'
import { t } from '../wire/text.ts'
import { CUSTOM_NAME_MAX } from './index.ts'

/** The account's name for its own vendor. */
export const CustomName = Text(
  CUSTOM_NAME_MAX,
  t('Enter the name'),
  t('Name can have at most {CUSTOM_NAME_MAX} characters', { CUSTOM_NAME_MAX }),
)
