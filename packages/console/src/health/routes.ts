import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import { requireFeatures } from '../lib/require-features'
import { requireRole } from '../lib/route-guards'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'

async function requireSystemHealth() {
  requireRole('admin', t('You do not have permissions to see System health'))
  await requireFeatures()
}
const systemHealth = createRoute({
  ...at('/system-health'),
  staticData: { crumb: t('System health') },
  beforeLoad: requireSystemHealth,
  component: screen(() => import('./system-health/health'), 'SystemHealth'),
})

const doctor = createRoute({
  ...at('/system-health/doctor'),
  staticData: {
    crumb: t('Doctor'),
    under: { crumb: t('System health'), href: '/internal/system-health' },
  },
  beforeLoad: requireSystemHealth,
  component: screen(() => import('./doctor/doctor'), 'Doctor'),
})

export const routes = [systemHealth, doctor]
