import type { SimulatedCaller } from '@switchroom/contract'
import { newKey } from '../../lib/unset'
import * as cases from '../test-cases/values'
import { OFFERS, type OfferName } from './offered'

export type CriterionRow = { key: string; name: string; description: string }
export const blankCriterion = (): CriterionRow => ({ key: newKey(), name: '', description: '' })

type Content = Omit<SimulatedCaller, `${string}_sid`>

/** The parts that a test case has as well are as its form has them. */
export const valuesOf = ({ criteria, ...caller }: Content) => ({
  ...cases.valuesOf({ ...caller, answers: [] }),
  persona: caller.persona,
  goal: caller.goal,
  language: caller.language,
  max_turns: caller.max_turns as number | null,
  max_minutes: caller.max_minutes as number | null,
  max_tokens: caller.max_tokens as number | null,
  criteria: criteria.map((one, i): CriterionRow => ({ key: String(i), ...one })),
})
export type Values = ReturnType<typeof valuesOf>

export const newValues = (offer: OfferName | undefined, language: string): Values =>
  valuesOf({
    ...{ name: '', persona: '', goal: '', criteria: [] },
    ...(offer && OFFERS[offer]),
    start: { direction: 'inbound', from: '+12025550100', to: '+12025550199' },
    ...{ language, max_turns: 20, max_minutes: 5, max_tokens: 20_000, expectations: [] },
  })

export function toBody({ criteria, ...values }: Values) {
  const { name, start, expectations } = cases.toBody(values)
  const { persona, goal, language, max_turns, max_minutes, max_tokens } = values
  return {
    ...{ name, start, expectations, persona, goal, language },
    // the schema refuses none, with an error on the field
    max_turns: max_turns as number,
    max_minutes: max_minutes as number,
    max_tokens: max_tokens as number,
    criteria: criteria.map(({ name, description }) => ({ name, description })),
  }
}
