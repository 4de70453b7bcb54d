import { z } from 'zod'

export const Integer = z.number().int()
export const IntegerOrNull = Integer.nullable()
export const NumberOrNull = z.number().nullable()
export const StringOrNull = z.string().nullable()
