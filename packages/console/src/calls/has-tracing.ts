import { config } from '../lib/config'

export const hasTracing = !config.DISABLE_JAEGER_TRACING
