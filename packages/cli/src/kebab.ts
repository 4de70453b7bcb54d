/** `phoneNumbers` and `phone_number_sid` as words of a command line. */
export const kebab = (name: string) =>
  name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`).replaceAll('_', '-')
