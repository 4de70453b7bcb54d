/** Drops undefined fields, so that an UPDATE leaves their columns unchanged. */
export const definedFields = <T extends object>(values: T) =>
  // what is filtered out is just what the type leaves out
  Object.fromEntries(Object.entries(values).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

export const isEmpty = (values: object) => Object.keys(values).length === 0
