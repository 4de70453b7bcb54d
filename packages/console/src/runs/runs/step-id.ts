/** The id of a step's row, which links lead to. */
export const stepId = (index: number) => `step-${index}`
