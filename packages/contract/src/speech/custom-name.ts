import { Text } from '../wire/common.ts'
import { CUSTOM_NAME_MAX } from './index.ts'

/** The account's name for its own vendor. */
export const CustomName = Text(
  CUSTOM_NAME_MAX,
  'Enter the name',
  `Name can have at most ${CUSTOM_NAME_MAX} characters`,
)
