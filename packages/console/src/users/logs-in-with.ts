const LOGS_IN_WITH: Record<string, string> = { local: 'Password', oidc: 'Single sign-on' }

export const logsInWith = (provider: string) => LOGS_IN_WITH[provider] ?? provider
