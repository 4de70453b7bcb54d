import type { Refusal } from '../wire/refusals.ts'
import { t } from '../wire/text.ts'
import type { AppEnvSchema, AppEnvVars } from './app-env.ts'

/** Issues of values that do not match the schema. Values for undeclared names are allowed. */
export const envVarsIssues = (schema: AppEnvSchema, vars: AppEnvVars): Refusal[] =>
  Object.entries(schema).flatMap(([name, { type, required, enum: choices }]) => {
    const path = ['env_vars', name]
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined
    if (value === undefined) {
      const msg = t('Missing required value env_vars.{name}', { name })
      return required
        ? [{ path, message: t('Enter a value for {name}', { name }), params: { msg } }]
        : []
    }
    const fits = typeof value === type && (!choices || choices.includes(value))
    const msg = t('Invalid value/type for env_vars.{name}', { name })
    return fits
      ? []
      : [{ path, message: t('The value of {name} is not valid', { name }), params: { msg } }]
  })
