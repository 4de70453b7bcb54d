import { t } from '@switchroom/contract'

const PLANS: Record<string, string> = { trial: t('Trial'), free: t('Free'), paid: t('Paid') }

export const planText = (plan_type: string) => PLANS[plan_type] ?? plan_type
