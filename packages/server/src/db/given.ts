/** Only what was given: a member left out, or undefined, leaves its column as it is. */
export const given = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

export const isEmpty = (values: object) => Object.keys(values).length === 0
