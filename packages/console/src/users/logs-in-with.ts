import { t } from '@switchroom/contract'

const LOGS_IN_WITH: Record<string, string> = { local: t('Password'), oidc: t('Single sign-on') }

export const logsInWith = (provider: string) => LOGS_IN_WITH[provider] ?? provider
