import type { Refusal } from '../wire/refusals.ts'
import type { AppEnvSchema, AppEnvVars } from './app-env.ts'

/** Issues of values that do not match the schema. Values for undeclared names are allowed. */
export const envVarsIssues = (schema: AppEnvSchema, vars: AppEnvVars): Refusal[] =>
  Object.entries(schema).flatMap(([name, { type, required, enum: choices }]) => {
    const path = ['env_vars', name]
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined
    if (value === undefined) {
      const msg = `Missing required value env_vars.${name}`
      return required ? [{ path, message: `Enter a value for ${name}`, params: { msg } }] : []
    }
    const fits = typeof value === type && (!choices || choices.includes(value))
    const msg = `Invalid value/type for env_vars.${name}`
    return fits ? [] : [{ path, message: `The value of ${name} is not valid`, params: { msg } }]
  })
