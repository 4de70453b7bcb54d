const PLANS: Record<string, string> = { trial: 'Trial', free: 'Free', paid: 'Paid' }

export const planText = (plan_type: string) => PLANS[plan_type] ?? plan_type
