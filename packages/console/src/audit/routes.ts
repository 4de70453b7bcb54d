import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import { defined, listSearch, text } from '../lib/list-search'
import { requireFeatures } from '../lib/require-features'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'

const auditLog = createRoute({
  ...at('/audit-log'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Audit log') },
  validateSearch: (raw: Record<string, unknown>) => ({
    ...listSearch(raw),
    ...defined({
      account_sid: text(raw.account_sid),
      kind: text(raw.kind),
      action: text(raw.action),
      from: text(raw.from),
      to: text(raw.to),
      sid: text(raw.sid),
      open: /^[1-9]\d{0,8}$/.exec(text(raw.open) ?? '')?.[0],
    }),
  }),
  loaderDeps: ({ search: { open: _, ...list } }) => list,
  loader: async ({ deps }) => (await import('./list')).load(deps),
  component: screen(() => import('./list'), 'AuditLog'),
})
const auditHistory = createRoute({
  ...at('/audit-log/history'),
  beforeLoad: requireFeatures,
  staticData: {
    crumb: t('History'),
    under: { crumb: t('Audit log'), href: '/internal/audit-log' },
  },
  validateSearch: (raw: Record<string, unknown>) =>
    defined({
      kind: text(raw.kind),
      sid: text(raw.sid),
      at: text(raw.at),
      with: text(raw.with),
    }),
  component: screen(() => import('./history'), 'History'),
})

export const routes = [auditLog, auditHistory]
