/** Drops undefined fields, so that an UPDATE leaves their columns unchanged. */
export const definedFields = <T extends object>(values: T) =>
  // the filter removes exactly the values that the type excludes
  Object.fromEntries(Object.entries(values).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

export const isEmpty = (values: object) => Object.keys(values).length === 0
